// Rules of registerRandomBitGenerator about construction, sources and external conditioning.
#include <algorithm>
#include <array>
#include <functional>

#include "submission.hpp"

namespace talla::lab::esv {

namespace {

constexpr std::string_view rbg_request = "registerRandomBitGenerator";
constexpr std::size_t rbgs_most = 3;
constexpr std::array<std::string_view, 6> constructions{"RBG1",      "RBG2(P)",  "RBG2(NP)",
                                                        "RBG3(XOR)", "RBG3(RS)", "RBGC"};

using Act = std::function<void(const json::Value& rbg, const std::string& where)>;

void each_rbg(const Submission& of, const Act& act) {
  if (of.rbgs == nullptr || !of.rbgs->is_array()) return;
  const json::Array& all = of.rbgs->array();
  for (std::size_t i = 0; i < all.size(); ++i) act(all[i], place("rbg", i));
}

std::string construction_of(const json::Value& rbg) {
  return text_at(rbg, "construction").value_or("");
}
bool rbg3(const json::Value& rbg) {
  return construction_of(rbg).starts_with("RBG3");
}

const json::Value* sources_of(const json::Value& rbg) {
  const json::Value* entropy = rbg.find("entropySources");
  return entropy != nullptr && entropy->is_object() ? entropy : nullptr;
}

void each_source(const Submission& of, const Act& act) {
  each_rbg(of, [&act](const json::Value& rbg, const std::string& where) {
    const json::Value* entropy = sources_of(rbg);
    if (entropy == nullptr) return;
    const json::Array& all = list_at(*entropy, "sources");
    for (std::size_t i = 0; i < all.size(); ++i)
      act(all[i], where + ".entropySources." + place("sources", i));
  });
}

/// Of the certificates that an RBG names: whether one is physical (or not). Open where they are not
/// known.
void has_kind(const Submission& of, Ruling& rule, const json::Value& rbg, const std::string& where,
              bool physical) {
  const std::string kind = physical ? "physical" : "non-physical";
  if (of.known.nothing()) {
    rule.open(where + ": whether one of its sources is " + kind);
    return;
  }
  const json::Value* entropy = sources_of(rbg);
  bool found = false;
  for (const json::Value& one : entropy != nullptr ? list_at(*entropy, "sources") : json::Array{}) {
    const Certificate* known = of.known.entropy(text_at(one, "entropyValidation").value_or(""));
    found = found || (known != nullptr && known->physical == physical);
  }
  rule.need(found, where + ".entropySources", "at least one " + kind + " source");
}

/// Whether every environment that an RBG's sources list has full entropy; nothing: not known.
std::optional<bool> all_full(const Submission& of, const json::Value& rbg) {
  if (of.known.nothing()) return std::nullopt;
  const json::Value* entropy = sources_of(rbg);
  if (entropy == nullptr) return false;
  for (const json::Value& one : list_at(*entropy, "sources")) {
    const Certificate* known = of.known.entropy(text_at(one, "entropyValidation").value_or(""));
    const auto ids = ids_at(one, "entropyOperatingEnvironments");
    if (known == nullptr || !ids) return false;
    for (const std::int64_t id : *ids) {
      const auto at =
          std::ranges::find(known->environments, id, &std::pair<std::int64_t, bool>::first);
      if (at == known->environments.end() || !at->second) return false;
    }
  }
  return true;
}

const json::Value* external_of(const json::Value& rbg) {
  const json::Value* entropy = sources_of(rbg);
  const json::Value* found =
      entropy != nullptr ? entropy->find("externalConditioningFunction") : nullptr;
  if (found == nullptr) found = rbg.find("externalConditioningFunction");
  return found != nullptr && found->is_object() ? found : nullptr;
}

void each_external(
    const Submission& of,
    const std::function<void(const json::Value&, const json::Value&, const std::string&)>& act) {
  each_rbg(of, [&act](const json::Value& rbg, const std::string& where) {
    const json::Value* external = external_of(rbg);
    if (external != nullptr) act(rbg, *external, where + ".externalConditioningFunction");
  });
}

/// Full entropy: short of nOut by at most 2^-32 of it (NIST IR 8427).
bool gives_full(const json::Value& external) {
  const auto n_out = number_at(external, "nOut");
  const auto h_out = number_at(external, "hOut");
  return n_out && h_out && *h_out <= *n_out && *n_out - *h_out <= (*n_out >> 32);
}

void rbg_list(const Submission& of, Ruling& rule) {
  if (of.rbgs == nullptr) return;
  const bool list = of.rbgs->is_array();
  if (!rule.need(list && !of.rbgs->array().empty() && of.rbgs->array().size() <= rbgs_most, "rbg",
                 "a list of 1 to 3"))
    return;
  const json::Array& all = of.rbgs->array();
  for (std::size_t i = 1; i < all.size(); ++i)
    rule.need(all[i].find("randomnessSource") != nullptr, place("rbg", i) + ".randomnessSource",
              "the element before it");
}

void construction(const Submission& of, Ruling& rule) {
  each_rbg(of, [&rule](const json::Value& rbg, const std::string& where) {
    const std::string name = construction_of(rbg);
    if (!rule.need(std::ranges::find(constructions, name) != constructions.end(),
                   where + ".construction", "RBG1, RBG2(P), RBG2(NP), RBG3(XOR), RBG3(RS) or RBGC"))
      return;
    if (name == "RBG1")
      rule.need(rbg.find("entropySources") == nullptr, where + ".entropySources",
                "absent: an RBG1 has no source of its own");
    if (name.starts_with("RBG2") || name.starts_with("RBG3"))
      rule.need(sources_of(rbg) != nullptr, where + ".entropySources", "present");
  });
}

void physical_source(const Submission& of, Ruling& rule) {
  each_rbg(of, [&](const json::Value& rbg, const std::string& where) {
    if (construction_of(rbg) == "RBG2(P)" || rbg3(rbg)) has_kind(of, rule, rbg, where, true);
  });
}

void other_source(const Submission& of, Ruling& rule) {
  each_rbg(of, [&](const json::Value& rbg, const std::string& where) {
    if (construction_of(rbg) == "RBG2(NP)") has_kind(of, rule, rbg, where, false);
  });
}

void chain_source(const Submission& of, Ruling& rule) {
  each_rbg(of, [&](const json::Value& rbg, const std::string& where) {
    if (construction_of(rbg) != "RBGC" || sources_of(rbg) == nullptr) return;
    const json::Value* external = external_of(rbg);
    if (external != nullptr) {
      rule.need(gives_full(*external), where + ".externalConditioningFunction", "full entropy");
      return;
    }
    const auto full = all_full(of, rbg);
    if (!full) {
      rule.open(where + ": whether its sources have full entropy");
    } else {
      rule.need(*full, where + ".entropySources", "full entropy, or an external conditioning");
    }
  });
}

void reseed_requests(const Submission& of, Ruling& rule) {
  each_rbg(of, [&rule](const json::Value& rbg, const std::string& where) {
    const auto allowed = flag_at(rbg, "allowsReseedRequests");
    const std::string place = where + ".allowsReseedRequests";
    if (!rule.need(allowed.has_value(), place, "true or false")) return;
    if (construction_of(rbg) == "RBG1") rule.need(!*allowed, place, "false for an RBG1");
    if (rbg3(rbg)) rule.need(*allowed, place, "true for an RBG3");
  });
}

void one_of_two(const Submission& of, Ruling& rule) {
  each_rbg(of, [&rule](const json::Value& rbg, const std::string& where) {
    rule.need(rbg.find("entropySources") == nullptr || rbg.find("randomnessSource") == nullptr,
              where, "only one of entropySources and randomnessSource");
  });
}

void certificates(const Submission& of, Ruling& rule) {
  each_source(of, [&](const json::Value& one, const std::string& where) {
    const auto number = text_at(one, "entropyValidation");
    const bool formed = number && number->size() > 1 && number->front() == 'E' &&
                        number->find_first_not_of("0123456789", 1) == std::string::npos;
    if (!rule.need(formed, where + ".entropyValidation", "E and digits")) return;
    if (of.known.nothing()) {
      rule.open(where + ".entropyValidation: whether " + *number + " exists");
      return;
    }
    const Certificate* known = of.known.entropy(*number);
    rule.need(known != nullptr && !known->environments.empty(), where + ".entropyValidation",
              *number + " is to be a certificate with operating environments");
  });
}

void source_environments(const Submission& of, Ruling& rule) {
  each_source(of, [&](const json::Value& one, const std::string& where) {
    const std::string place = where + ".entropyOperatingEnvironments";
    const auto ids = ids_at(one, "entropyOperatingEnvironments");
    if (!rule.need(ids.has_value(), place, "a list of numbers, not empty, each once")) return;
    if (of.known.nothing()) {
      rule.open(place + ": whether they are on the certificate");
      return;
    }
    const Certificate* known = of.known.entropy(text_at(one, "entropyValidation").value_or(""));
    for (const std::int64_t id : *ids) {
      rule.need(known != nullptr && std::ranges::find(known->environments, id,
                                                      &std::pair<std::int64_t, bool>::first) !=
                                        known->environments.end(),
                place, std::to_string(id) + " is to be on the certificate");
    }
  });
}

void rbg_environments(const Submission& of, Ruling& rule) {
  each_rbg(of, [&rule](const json::Value& rbg, const std::string& where) {
    const json::Value* entropy = sources_of(rbg);
    if (entropy == nullptr) return;
    const auto own = ids_at(rbg, "operatingEnvironments").value_or(std::vector<std::int64_t>{});
    const json::Array& all = list_at(*entropy, "sources");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string at =
          where + ".entropySources." + place("sources", i) + ".rbgOperatingEnvironments";
      const auto ids = ids_at(all[i], "rbgOperatingEnvironments");
      if (!rule.need(ids.has_value(), at, "a list of numbers, not empty, each once")) continue;
      for (const std::int64_t id : *ids)
        rule.need(std::ranges::find(own, id) != own.end(), at,
                  std::to_string(id) + " is to be among the RBG's operatingEnvironments");
    }
  });
}

void combination(const Submission& of, Ruling& rule) {
  each_rbg(of, [&](const json::Value& rbg, const std::string& where) {
    const json::Value* entropy = sources_of(rbg);
    if (entropy == nullptr) return;
    const std::string at = where + ".entropySources.combinationMethod";
    const std::string method = text_at(*entropy, "combinationMethod").value_or("");
    const std::string name = construction_of(rbg);
    rule.need(method == "Method1" || method == "Method2", at,
              "Method1 or Method2, for one source too");
    if (name == "RBG2(P)" || rbg3(rbg)) rule.need(method == "Method1", at, "Method1 for " + name);
    if (name == "RBG2(NP)") rule.need(method == "Method2", at, "Method2 for " + name);
    if (method == "Method1" && !of.known.nothing()) has_kind(of, rule, rbg, at, true);
  });
}

void external_needed(const Submission& of, Ruling& rule) {
  each_rbg(of, [&](const json::Value& rbg, const std::string& where) {
    const std::string name = construction_of(rbg);
    if (name != "RBG3(XOR)" && !(name == "RBGC" && sources_of(rbg) != nullptr)) return;
    if (external_of(rbg) != nullptr) {
      rule.need(true, where, "");
      return;
    }
    const auto full = all_full(of, rbg);
    if (!full) {
      rule.open(where + ": whether every environment of its sources has full entropy");
    } else {
      rule.need(*full, where + ".externalConditioningFunction",
                "present: a listed environment has no full entropy");
    }
  });
}

void procedure(const Submission& of, Ruling& rule) {
  each_external(
      of, [&](const json::Value& rbg, const json::Value& external, const std::string& where) {
        const std::string name = text_at(external, "procedure").value_or("");
        rule.need(name == "getConditionedInput" || name == "getConditionedFullEntropyInput",
                  where + ".procedure", "getConditionedInput or getConditionedFullEntropyInput");
        const bool full = all_full(of, rbg).value_or(false);
        if (construction_of(rbg) == "RBG3(XOR)" && !full)
          rule.need(name == "getConditionedFullEntropyInput", where + ".procedure",
                    "getConditionedFullEntropyInput: the source is not known to have full entropy");
      });
}

void external_values(const Submission& of, Ruling& rule) {
  each_external(of, [&rule](const json::Value& rbg, const json::Value& external,
                            const std::string& where) {
    static_cast<void>(rbg);
    const auto n_in = number_at(external, "minNIn");
    const auto h_in = number_at(external, "minHIn");
    const auto n_out = number_at(external, "nOut");
    const auto h_out = number_at(external, "hOut");
    if (!rule.need(n_in && h_in && n_out && h_out, where, "minNIn, minHIn, nOut, hOut are numbers"))
      return;
    rule.need(*n_in > 0, where + ".minNIn", "above 0");
    rule.need(*h_in > 0 && *h_in <= *n_in, where + ".minHIn", "above 0 and at most minNIn");
    rule.need(*h_out < *h_in, where + ".hOut", "below minHIn");
    rule.need(*h_out <= *n_out, where + ".hOut", "at most nOut");
  });
}

void external_full(const Submission& of, Ruling& rule) {
  each_external(
      of, [&rule](const json::Value& rbg, const json::Value& external, const std::string& where) {
        const bool full = gives_full(external);
        if (construction_of(rbg) == "RBG3(XOR)")
          rule.need(full, where + ".hOut", "full entropy of nOut for RBG3(XOR)");
        if (!full) return;
        rule.need(text_at(external, "procedure") == "getConditionedFullEntropyInput",
                  where + ".procedure", "getConditionedFullEntropyInput: hOut is full entropy");
        const auto h_in = number_at(external, "minHIn");
        const auto n_out = number_at(external, "nOut");
        rule.need(h_in && n_out && *h_in >= *n_out + 64 * esv::one, where + ".minHIn",
                  "at least nOut + 64");
      });
}

std::string algorithm_of(const json::Value& external) {
  return text_at(external, "algorithm").value_or("");
}

void external_output(const Submission& of, Ruling& rule) {
  each_external(
      of, [&rule](const json::Value& rbg, const json::Value& external, const std::string& where) {
        static_cast<void>(rbg);
        const std::string name = algorithm_of(external);
        const VettedFunction* known = vetted_function(name);
        const auto out = number_at(external, "nOut");
        if (!rule.need(known != nullptr && known->nw != 0, where + ".algorithm",
                       "a vetted conditioning function"))
          return;
        const std::string at = where + ".nOut";
        if (name == "AES-CMAC" || name == "AES-CBC-MAC" || name.starts_with("BlockCipher_DF")) {
          rule.need(out == 128 * esv::one, at, "128");
        } else if (known->n_out == 0) {
          rule.need(out && *out > 128 * esv::one && *out < known->out_most * esv::one, at,
                    "above 128 and below " + std::to_string(known->out_most));
        } else {
          rule.need(out == known->n_out * esv::one, at, std::to_string(known->n_out));
        }
      });
}

void external_input(const Submission& of, Ruling& rule) {
  each_external(
      of, [&rule](const json::Value& rbg, const json::Value& external, const std::string& where) {
        static_cast<void>(rbg);
        if (algorithm_of(external) != "AES-CBC-MAC") return;
        const auto bits = number_at(external, "minNIn");
        rule.need(bits && *bits > 0 && *bits % (128 * esv::one) == 0, where + ".minNIn",
                  "a multiple of 128");
      });
}

void key_length(const Submission& of, Ruling& rule) {
  each_external(
      of, [&rule](const json::Value& rbg, const json::Value& external, const std::string& where) {
        static_cast<void>(rbg);
        const std::string name = algorithm_of(external);
        const auto bits = number_at(external, "keyLen");
        const std::string at = where + ".keyLen";
        if (name.starts_with("HMAC-")) {
          const VettedFunction* known = vetted_function(name);
          rule.need(known != nullptr && bits == known->n_out * esv::one, at, "the output length");
        } else if (name == "AES-CMAC" || name == "AES-CBC-MAC") {
          rule.need(bits == 128 * esv::one || bits == 192 * esv::one || bits == 256 * esv::one, at,
                    "128, 192 or 256");
        } else {
          rule.need(external.find("keyLen") == nullptr, at, "absent: the function has no key");
        }
      });
}

constexpr std::array rbg_table{
    Rule{{rbg_request, "rbg", "1 to 3; each further one uses the one before it", ""}, &rbg_list},
    Rule{{rbg_request, "construction", "RBG1 without, RBG2 and RBG3 with entropySources",
          "SP 800-90C Table 1; 2.2; 4"},
         &construction},
    Rule{{rbg_request, "construction RBG2(P) and RBG3", "at least one physical source",
          "SP 800-90C 5.1; 5.3 req 9; 6.1; 6.3 req 1"},
         &physical_source},
    Rule{{rbg_request, "construction RBG2(NP)", "at least one non-physical source",
          "SP 800-90C 5.1; 5.3 req 10"},
         &other_source},
    Rule{
        {rbg_request, "construction RBGC",
         "full entropy of the source, or of the external conditioning", "SP 800-90C 7.3.2 req 4-5"},
        &chain_source},
    Rule{{rbg_request, "allowsReseedRequests", "RBG1 false; RBG3 true", "SP 800-90C Table 1"},
         &reseed_requests},
    Rule{{rbg_request, "entropySources and randomnessSource", "only one of the two", ""},
         &one_of_two},
    Rule{{rbg_request, "entropySources.sources[].entropyValidation",
          "E and digits; an existing certificate with environments", ""},
         &certificates},
    Rule{{rbg_request, "entropySources.sources[].entropyOperatingEnvironments",
          "not empty, each once, each on the certificate", ""},
         &source_environments},
    Rule{{rbg_request, "entropySources.sources[].rbgOperatingEnvironments",
          "not empty, each once, each among those of the RBG", ""},
         &rbg_environments},
    Rule{{rbg_request, "entropySources.combinationMethod",
          "Method1 for RBG2(P) and RBG3, Method2 for RBG2(NP)", "SP 800-90C 2.3; 5.1; 6.1"},
         &combination},
    Rule{{rbg_request, "externalConditioningFunction",
          "there for RBG3(XOR) and RBGC unless every environment has full entropy",
          "SP 800-90C 6.4.2 req 1; 7.3.2 req 5"},
         &external_needed},
    Rule{{rbg_request, "externalConditioningFunction.procedure",
          "one of the two; of full entropy for RBG3(XOR) over a source without", "SP 800-90C 6.4"},
         &procedure},
    Rule{{rbg_request, "externalConditioningFunction values",
          "minNIn > 0; 0 < minHIn <= minNIn; hOut < minHIn; hOut <= nOut", ""},
         &external_values},
    Rule{{rbg_request, "externalConditioningFunction full entropy",
          "where hOut is full: that procedure, and minHIn >= nOut + 64; RBG3(XOR) is full",
          "SP 800-90C 3.2.2.2; 6.4"},
         &external_full},
    Rule{{rbg_request, "externalConditioningFunction.nOut",
          "AES 128; Hash_DF above 128 and below its maximum; else the function's own",
          "SP 800-90C 3.2.1.1"},
         &external_output},
    Rule{{rbg_request, "externalConditioningFunction.minNIn", "AES-CBC-MAC: a multiple of 128",
          "SP 800-90C 3.2.1.3"},
         &external_input},
    Rule{{rbg_request, "externalConditioningFunction.keyLen",
          "HMAC: the output length; AES: 128, 192 or 256; else absent", "SP 800-90C 3.2.1.1"},
         &key_length},
};

}  // namespace

std::span<const Rule> rbg_rules() {
  return rbg_table;
}

}  // namespace talla::lab::esv
