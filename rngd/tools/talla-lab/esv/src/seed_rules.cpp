// Rules of registerRandomBitGenerator about the DRBG, its seeds and its environments.
#include <algorithm>
#include <array>
#include <functional>

#include "submission.hpp"

namespace talla::lab::esv {

namespace {

constexpr std::string_view drbg_request = "registerRandomBitGenerator";
constexpr std::array<std::string_view, 3> drbgs{"CTR_DRBG", "Hash_DRBG", "HMAC_DRBG"};
constexpr std::int64_t strength_most = 256;
constexpr std::size_t frequency_least = 2;
constexpr std::size_t frequency_most = 64;

struct Generator {
  const json::Value& rbg;
  const json::Value& drbg;
  std::string where;
  std::string name;
};

void each_drbg(const Submission& of, const std::function<void(const Generator&)>& act) {
  if (of.rbgs == nullptr || !of.rbgs->is_array()) return;
  const json::Value none;
  const json::Array& all = of.rbgs->array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const json::Value* drbg = all[i].find("drbg");
    const json::Value& one = drbg != nullptr && drbg->is_object() ? *drbg : none;
    act({all[i], one, place("rbg", i) + ".drbg", text_at(one, "algorithm").value_or("")});
  }
}

bool is_rbg3(const Generator& of) {
  return text_at(of.rbg, "construction").value_or("").starts_with("RBG3");
}

using Seed =
    std::function<void(const Generator& of, const json::Value& seed, const std::string& where)>;

void each_seed(const Submission& of, const Seed& act) {
  each_drbg(of, [&act](const Generator& generator) {
    const json::Array& all = list_at(generator.drbg, "seed");
    for (std::size_t i = 0; i < all.size(); ++i)
      act(generator, all[i], generator.where + "." + place("seed", i));
  });
}

void algorithm(const Submission& of, Ruling& rule) {
  each_drbg(of, [&rule](const Generator& generator) {
    rule.need(std::ranges::find(drbgs, generator.name) != drbgs.end(),
              generator.where + ".algorithm", "CTR_DRBG, Hash_DRBG or HMAC_DRBG");
  });
}

void validations(const Submission& of, Ruling& rule) {
  each_drbg(of, [&](const Generator& generator) {
    const std::string at = generator.where + ".validations";
    const json::Array& all = list_at(generator.drbg, "validations");
    if (!rule.need(!all.empty(), at, "not empty")) return;
    std::vector<std::string> seen;
    for (const json::Value& one : all) {
      const std::string number = text_at(one, "validationNumber").value_or("");
      rule.need(number.size() > 1 && number.front() == 'A' &&
                    std::ranges::find(seen, number) == seen.end(),
                at, "each an algorithm validation (A and digits), once");
      seen.push_back(number);
      const auto ids = ids_at(one, "algorithmOperatingEnvironments");
      if (!rule.need(ids.has_value(), at,
                     "algorithmOperatingEnvironments: numbers, not empty, each once"))
        continue;
      if (of.known.nothing()) {
        rule.open(at + ": whether " + number + " and its environments exist");
        continue;
      }
      const auto* known = of.known.algorithm(number);
      for (const std::int64_t id : *ids)
        rule.need(known != nullptr && std::ranges::find(*known, id) != known->end(), at,
                  "environment " + std::to_string(id) + " is to be on " + number);
    }
  });
}

void derivation(const Submission& of, Ruling& rule) {
  each_drbg(of, [&rule](const Generator& generator) {
    const auto uses = flag_at(generator.drbg, "derivationFunction");
    const std::string at = generator.where + ".derivationFunction";
    rule.need(uses.has_value(), at, "true or false");
    if (generator.name == "Hash_DRBG" || generator.name == "HMAC_DRBG")
      rule.need(uses == false, at, "false for " + generator.name);
  });
}

void seeds(const Submission& of, Ruling& rule) {
  each_drbg(of, [&rule](const Generator& generator) {
    const std::string at = generator.where + ".seed";
    const json::Array& all = list_at(generator.drbg, "seed");
    rule.need(!all.empty() && all.size() <= 3, at, "a list of 1 to 3");
    if (is_rbg3(generator)) rule.need(all.size() == 1, at, "exactly one for an RBG3");
    std::vector<Nano> strengths;
    for (const json::Value& one : all) {
      const Nano strength = number_at(one, "securityStrength").value_or(0);
      rule.need(std::ranges::find(strengths, strength) == strengths.end(), at,
                "each strength once");
      strengths.push_back(strength);
    }
  });
}

void strengths(const Submission& of, Ruling& rule) {
  each_seed(
      of, [&rule](const Generator& generator, const json::Value& seed, const std::string& where) {
        const json::Value* bits = seed.find("securityStrength");
        const std::int64_t value = bits != nullptr && bits->is_integer() ? bits->integer() : 0;
        rule.need(value == 128 || value == 192 || value == strength_most,
                  where + ".securityStrength", "128, 192 or 256");
        if (is_rbg3(generator))
          rule.need(value == strength_most, where + ".securityStrength",
                    "256 for an RBG3: the highest of its DRBG");
      });
}

/// CTR_DRBG without a derivation function takes full entropy of exactly its seed's length.
bool takes_full(const Generator& generator) {
  return generator.name == "CTR_DRBG" &&
         !flag_at(generator.drbg, "derivationFunction").value_or(false);
}

void seed_entropy(const Submission& of, Ruling& rule) {
  each_seed(of, [&rule](const Generator& generator, const json::Value& seed,
                        const std::string& where) {
    const auto strength = number_at(seed, "securityStrength");
    const auto h_in = number_at(seed, "minHIn");
    const auto n_in = number_at(seed, "minNIn");
    if (!rule.need(strength && h_in, where + ".minHIn", "a number")) return;
    if (takes_full(generator)) {
      const Nano wanted = *strength + 128 * one;
      rule.need(n_in == wanted && h_in == wanted, where,
                "minHIn = minNIn = " + text_of(wanted) + ": CTR_DRBG without derivation function");
    } else {
      rule.need(2 * *h_in >= 3 * *strength, where + ".minHIn", "at least 1.5 times the strength");
    }
  });
}

void seed_input(const Submission& of, Ruling& rule) {
  each_seed(of,
            [&rule](const Generator& generator, const json::Value& seed, const std::string& where) {
              const auto h_in = number_at(seed, "minHIn");
              const auto n_in = number_at(seed, "minNIn");
              const std::string at = where + ".minNIn";
              rule.need(h_in && n_in && *n_in >= *h_in, at, "at least minHIn");
              if (takes_full(generator)) rule.need(n_in == h_in, at, "equal to minHIn");
            });
}

void reseed(const Submission& of, Ruling& rule) {
  each_drbg(of, [&rule](const Generator& generator) {
    const auto done = flag_at(generator.drbg, "reseed");
    const auto allowed = flag_at(generator.rbg, "allowsReseedRequests");
    const std::string at = generator.where + ".reseed";
    if (rule.need(done.has_value(), at, "true or false"))
      rule.need(*done || allowed != true, at, "true: allowsReseedRequests is true");
  });
}

void frequency(const Submission& of, Ruling& rule) {
  each_drbg(of, [&rule](const Generator& generator) {
    const std::string at = generator.where + ".reseedFrequency";
    if (!flag_at(generator.drbg, "reseed").value_or(false)) {
      rule.need(generator.drbg.find("reseedFrequency") == nullptr, at, "absent: no reseed");
      return;
    }
    const auto text = text_at(generator.drbg, "reseedFrequency");
    rule.need(text && text->size() >= frequency_least && text->size() <= frequency_most, at,
              "a text of 2 to 64 characters");
  });
}

void environments(const Submission& of, Ruling& rule) {
  each_drbg(of, [&](const Generator& generator) {
    const std::string at =
        generator.where.substr(0, generator.where.find('.')) + ".operatingEnvironments";
    const auto ids = ids_at(generator.rbg, "operatingEnvironments");
    if (!rule.need(ids.has_value(), at, "a list of numbers, not empty, each once")) return;
    if (of.known.nothing()) {
      rule.open(at + ": whether they are known to ACVTS");
      return;
    }
    for (const std::int64_t id : *ids)
      rule.need(of.known.environment(id), at, std::to_string(id) + " is to be known to ACVTS");
  });
}

constexpr std::array drbg_table{
    Rule{{drbg_request, "drbg.algorithm", "CTR_DRBG, Hash_DRBG or HMAC_DRBG", ""}, &algorithm},
    Rule{{drbg_request, "drbg.validations",
          "not empty; numbers once, environments once and existing", ""},
         &validations},
    Rule{{drbg_request, "drbg.derivationFunction", "false for Hash_DRBG and HMAC_DRBG",
          "SP 800-90Ar1 10.1.1.2; 10.1.2"},
         &derivation},
    Rule{{drbg_request, "drbg.seed", "1 to 3, each strength once; one for RBG3",
          "SP 800-90C 2.8.3.1; 6.1"},
         &seeds},
    Rule{{drbg_request, "drbg.seed[].securityStrength", "128, 192 or 256; RBG3: the highest",
          "SP 800-90C 6.3 req 4"},
         &strengths},
    Rule{{drbg_request, "drbg.seed[].minHIn",
          "at least 1.5 times the strength; CTR without derivation: full, strength + 128",
          "SP 800-90C 4.3.1 req 7-8; 5.3 req 7-8; 6.3 req 5-6; 7.3.2 req 1-2; SP 800-90Ar1 10.2.1"},
         &seed_entropy},
    Rule{{drbg_request, "drbg.seed[].minNIn", "at least minHIn; CTR without derivation: equal", ""},
         &seed_input},
    Rule{{drbg_request, "drbg.reseed", "true where allowsReseedRequests is true", ""}, &reseed},
    Rule{{drbg_request, "drbg.reseedFrequency", "absent without reseed; else 2 to 64 characters",
          ""},
         &frequency},
    Rule{{drbg_request, "operatingEnvironments", "not empty, each once, each known", ""},
         &environments},
};

}  // namespace

std::span<const Rule> seed_rules() {
  return drbg_table;
}

}  // namespace talla::lab::esv
