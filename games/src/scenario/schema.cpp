// The JSON schema of a scenario.
#include "games/scenario.hpp"

namespace talla::games {

std::string_view scenario_schema() {  // NOLINT(readability-function-size): one text
  return R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Talla scenario",
  "description": "One table, its steps in order, and what must come out. A file holds one object, or one a line.",
  "type": "object",
  "additionalProperties": false,
  "required": ["catalogue", "game", "table", "steps"],
  "properties": {
    "catalogue": {"type": "string"},
    "game": {"type": "string"},
    "name": {"type": "string"},
    "source": {"type": "string", "description": "section of the official text"},
    "table": {
      "type": "object",
      "additionalProperties": false,
      "required": ["currency", "min"],
      "properties": {
        "currency": {"type": "string", "description": "ISO 4217, historic codes too"},
        "unit": {"type": ["integer", "string"], "description": "worth of one unit: 1, or \"1/100\"", "default": 1},
        "chip": {"$ref": "#/$defs/amount", "default": 1},
        "rounding": {"enum": ["down", "up", "nearest"], "default": "down"},
        "min": {"$ref": "#/$defs/amount"},
        "max": {"$ref": "#/$defs/amount"},
        "params": {"type": "object", "description": "parameters of the game, see talla catalogue show"},
        "shared_meters": {"type": "array", "items": {"type": "string"}, "description": "meters that other tables move too"},
        "authorised_min": {"$ref": "#/$defs/amount", "description": "no table plays below it"}
      }
    },
    "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}},
    "expect": {
      "type": "array",
      "description": "compared with the last settlement of each bet",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["bet"],
        "properties": {
          "bet": {"type": "string"},
          "result": {"enum": ["win", "lose", "push", "half", "prison", "freed", "void"]},
          "returned": {"type": "integer", "minimum": 0},
          "rule": {"type": "string"},
          "kind": {"type": "string"},
          "stake": {"type": "integer", "minimum": 0},
          "seat": {"type": "integer", "minimum": 0},
          "remainder": {"type": "string"}
        }
      }
    },
    "expect_error": {"type": "string", "description": "code of the refusal that must come"}
  },
  "$defs": {
    "amount": {"type": "integer", "minimum": 1, "maximum": 9007199254740991},
    "whole": {"type": "integer", "description": "what no table takes is a refusal, not a fault of the file"},
    "code": {"type": ["string", "integer"]},
    "codes": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/code"}},
    "card": {"type": "string", "description": "rank and suit: 7H, TS, Jk, 7o, Ro"},
    "step": {
      "type": "object",
      "minProperties": 1,
      "maxProperties": 1,
      "additionalProperties": false,
      "properties": {
        "bet": {
          "type": "object",
          "additionalProperties": false,
          "required": ["id", "seat", "kind", "stake"],
          "properties": {
            "id": {"type": "string", "description": "1 to 32 letters, digits, _ . -"},
            "seat": {"$ref": "#/$defs/whole"},
            "box": {"$ref": "#/$defs/whole"},
            "kind": {"type": "string"},
            "on": {"anyOf": [{"$ref": "#/$defs/code"}, {"type": "array", "items": {"$ref": "#/$defs/code"}}]},
            "stake": {"$ref": "#/$defs/whole"}
          }
        },
        "withdraw": {
          "type": "object",
          "additionalProperties": false,
          "required": ["bet"],
          "properties": {"bet": {"type": "string"}, "amount": {"$ref": "#/$defs/whole"}}
        },
        "close": {"const": true},
        "act": {
          "type": "object",
          "additionalProperties": false,
          "required": ["seat", "do"],
          "properties": {
            "seat": {"$ref": "#/$defs/whole"},
            "do": {"type": "string"},
            "bet": {"type": "string"},
            "amount": {"$ref": "#/$defs/whole"},
            "cards": {"type": "array", "items": {"type": "string"}},
            "to": {"type": "string"}
          }
        },
        "timeout": {
          "type": "object",
          "additionalProperties": false,
          "required": ["seat"],
          "properties": {"seat": {"$ref": "#/$defs/whole"}}
        },
        "wheel": {"$ref": "#/$defs/code"},
        "dice": {"$ref": "#/$defs/codes"},
        "balls": {"$ref": "#/$defs/codes"},
        "lots": {"$ref": "#/$defs/codes"},
        "shoe": {"const": "new"},
        "cards": {"type": "array", "items": {"$ref": "#/$defs/card"}},
        "at": {"type": "object", "additionalProperties": {"$ref": "#/$defs/card"}},
        "stop_card_after": {"type": "integer", "minimum": 0, "maximum": 65535},
        "void": {"const": true},
        "confirm": {"const": true, "description": "staff confirm a complete hand: it is settled (settle_on)"},
        "misdeal": {
          "type": "object",
          "additionalProperties": false,
          "required": ["code"],
          "properties": {
            "code": {"type": "string"},
            "place": {"type": "string"},
            "amount": {"$ref": "#/$defs/whole"}
          }
        },
        "session": {
          "description": "the end of the session is announced: the next round is the last; so many are left; with the shoe",
          "oneOf": [
            {"const": "last"},
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["last"],
              "properties": {"last": {"oneOf": [{"const": "shoe"}, {"const": true}, {"type": "integer", "minimum": 2, "maximum": 100}]}}
            }
          ]
        },
        "meter": {
          "type": "object",
          "additionalProperties": false,
          "required": ["id", "value"],
          "description": "what a shared meter holds when it is read next",
          "properties": {"id": {"type": "string"}, "value": {"type": "integer", "minimum": 0, "maximum": 9007199254740991}}
        }
      }
    }
  }
}
)json";
}

}  // namespace talla::games
