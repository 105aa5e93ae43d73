// Rules of registerEntropySource.
#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "submission.hpp"

namespace talla::lab::esv {

namespace {

constexpr std::string_view request = "registerEntropySource";
constexpr std::size_t text_most = 64;
constexpr std::int64_t restarts_least = 1000;
constexpr std::int64_t sample_bits_most = 256;

void primary_source(const Submission& of, Ruling& rule) {
  if (of.source == nullptr) return;
  const auto text = text_at(*of.source, "primaryNoiseSource");
  rule.need(text && !blank(*text) && text->size() <= text_most, "primaryNoiseSource",
            "a text that is not blank, of at most 64 characters");
}

void present(const Submission& of, Ruling& rule, std::string_view name) {
  if (of.source == nullptr) return;
  rule.need(flag_at(*of.source, name).has_value(), std::string(name), "true or false");
}
void iid_claim(const Submission& of, Ruling& rule) {
  present(of, rule, "iidClaim");
}
void physical(const Submission& of, Ruling& rule) {
  present(of, rule, "physical");
}
void additional(const Submission& of, Ruling& rule) {
  present(of, rule, "additionalNoiseSources");
}

void sample_bits(const Submission& of, Ruling& rule) {
  if (of.source == nullptr) return;
  const json::Value* bits = of.source->find("bitsPerSample");
  rule.need(bits != nullptr && bits->is_integer() && bits->integer() >= 1 &&
                bits->integer() <= sample_bits_most,
            "bitsPerSample", "a whole number from 1 to 256");
}

void entropy_estimate(const Submission& of, Ruling& rule) {
  if (of.source == nullptr) return;
  const auto claimed = number_at(*of.source, "hminEstimate");
  const auto bits = number_at(*of.source, "bitsPerSample");
  rule.need(claimed && bits && *claimed >= 0 && *claimed <= *bits, "hminEstimate",
            "a number from 0 to bitsPerSample");
}

void count_least(const Submission& of, Ruling& rule, std::string_view name) {
  if (of.source == nullptr) return;
  const json::Value* count = of.source->find(name);
  rule.need(count != nullptr && count->is_integer() && count->integer() >= restarts_least,
            std::string(name), "a whole number from 1000");
}
void restarts(const Submission& of, Ruling& rule) {
  count_least(of, rule, "numberOfRestarts");
}
void restart_samples(const Submission& of, Ruling& rule) {
  count_least(of, rule, "samplesPerRestart");
}

void components(const Submission& of, Ruling& rule) {
  if (of.source == nullptr) return;
  const json::Value* list = of.source->find("conditioningComponent");
  const bool more = flag_at(*of.source, "additionalNoiseSources").value_or(false);
  if (list != nullptr && !list->is_array()) {
    rule.need(false, "conditioningComponent", "a list");
    return;
  }
  const json::Array& all = list_at(*of.source, "conditioningComponent");
  const bool vetted = std::ranges::all_of(
      all, [](const json::Value& one) { return flag_at(one, "vetted").value_or(false); });
  rule.need(!more || (!all.empty() && vetted), "conditioningComponent",
            "additionalNoiseSources is true: at least one component, and all of them vetted");
}

using Component = std::function<void(const json::Value& one, const std::string& where)>;

/// Each component, or each of those alone that are vetted (or are not).
void each(const Submission& of, std::optional<bool> vetted, const Component& act) {
  if (of.source == nullptr) return;
  const json::Array& all = list_at(*of.source, "conditioningComponent");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (vetted && flag_at(all[i], "vetted").value_or(false) != *vetted) continue;
    act(all[i], place("conditioningComponent", i));
  }
}

void positions(const Submission& of, Ruling& rule) {
  if (of.source == nullptr) return;
  const json::Array& all = list_at(*of.source, "conditioningComponent");
  if (all.empty()) return;
  std::set<std::int64_t> seen;
  for (const json::Value& one : all) {
    const json::Value* position = one.find("sequencePosition");
    if (position != nullptr && position->is_integer()) seen.insert(position->integer());
  }
  const auto count = static_cast<std::int64_t>(all.size());
  rule.need(seen.size() == all.size() && *seen.begin() == 1 && *seen.rbegin() == count,
            "conditioningComponent[].sequencePosition",
            "each of 1 to " + std::to_string(count) + " once");
}

void descriptions(const Submission& of, Ruling& rule) {
  each(of, std::nullopt, [&rule](const json::Value& one, const std::string& where) {
    const auto text = text_at(one, "description");
    if (flag_at(one, "vetted").value_or(false)) {
      rule.need(text && vetted_function(*text) != nullptr, where + ".description",
                "exactly the name of a vetted function (HMAC-SHA2-512, SHA2-512, Hash_DF-SHA2-512, "
                "AES-CMAC, ...)");
    } else {
      rule.need(text && !blank(*text) && text->size() <= text_most, where + ".description",
                "a text that is not blank, of at most 64 characters");
    }
  });
}

void bijective_claims(const Submission& of, Ruling& rule) {
  each(of, true, [&rule](const json::Value& one, const std::string& where) {
    rule.need(one.find("bijectiveClaim") == nullptr, where + ".bijectiveClaim",
              "absent: the component is vetted");
  });
  each(of, false, [&rule](const json::Value& one, const std::string& where) {
    rule.need(flag_at(one, "bijectiveClaim").has_value(), where + ".bijectiveClaim",
              "true or false: the component is not vetted");
  });
}

void validation_numbers(const Submission& of, Ruling& rule) {
  each(of, true, [&](const json::Value& one, const std::string& where) {
    const auto number = text_at(one, "validationNumber");
    const bool formed = number && number->size() > 1 && number->front() == 'A' &&
                        number->find_first_not_of("0123456789", 1) == std::string::npos;
    if (!rule.need(formed, where + ".validationNumber", "A and digits: an algorithm validation"))
      return;
    if (of.known.nothing()) {
      rule.open(where + ".validationNumber: whether " + *number + " exists");
    } else {
      rule.need(of.known.algorithm(*number) != nullptr, where + ".validationNumber",
                *number + " is to be a validation that exists");
    }
  });
  each(of, false, [&rule](const json::Value& one, const std::string& where) {
    rule.need(one.find("validationNumber") == nullptr, where + ".validationNumber",
              "absent: the component is not vetted");
  });
}

void entropy_in(const Submission& of, Ruling& rule) {
  each(of, std::nullopt, [&rule](const json::Value& one, const std::string& where) {
    const auto entropy = number_at(one, "minHin");
    const auto bits = number_at(one, "minNin");
    rule.need(entropy && bits && *entropy >= 0 && *entropy <= *bits, where + ".minHin",
              "a number from 0 to minNin");
  });
}

void vetted_input(const Submission& of, Ruling& rule) {
  each(of, true, [&rule](const json::Value& one, const std::string& where) {
    const auto bits = number_at(one, "minNin");
    const auto width = number_at(one, "nw");
    rule.need(bits && width && *bits >= *width, where + ".minNin", "a number from nw upwards");
  });
}

/// The function that a vetted component names; nothing where another rule has to say so, and open
/// where its widths are not known here.
const VettedFunction* function_of(const json::Value& one, const std::string& where, Ruling& rule) {
  const auto* named = vetted_function(text_at(one, "description").value_or(""));
  if (named == nullptr || named->nw != 0) return named;
  rule.open(where + ": the widths of " + std::string(named->name));
  return nullptr;
}

void vetted_width(const Submission& of, Ruling& rule) {
  each(of, true, [&rule](const json::Value& one, const std::string& where) {
    const VettedFunction* named = function_of(one, where, rule);
    if (named == nullptr) return;
    rule.need(number_at(one, "nw") == named->nw * esv::one, where + ".nw",
              std::to_string(named->nw) + ", the width of " + std::string(named->name));
  });
}

void vetted_output(const Submission& of, Ruling& rule) {
  each(of, true, [&rule](const json::Value& one, const std::string& where) {
    const VettedFunction* named = function_of(one, where, rule);
    if (named == nullptr) return;
    const auto out = number_at(one, "nOut");
    if (named->n_out != 0) {
      rule.need(out == named->n_out * esv::one, where + ".nOut",
                std::to_string(named->n_out) + ", the output of " + std::string(named->name));
    } else {
      rule.need(out && *out > 0 && *out <= named->out_most * esv::one, where + ".nOut",
                "at most " + std::to_string(named->out_most));
    }
  });
}

struct Sizes {
  Nano n_in, h_in, nw, n_out, h_out;
};

std::optional<Sizes> sizes_of(const json::Value& one) {
  const auto n_in = number_at(one, "minNin");
  const auto h_in = number_at(one, "minHin");
  const auto nw = number_at(one, "nw");
  const auto n_out = number_at(one, "nOut");
  const auto h_out = number_at(one, "hOut");
  if (!n_in || !h_in || !nw || !n_out || !h_out) return std::nullopt;
  return Sizes{*n_in, *h_in, *nw, *n_out, *h_out};
}

void vetted_all(const Submission& of, Ruling& rule) {
  each(of, true, [&rule](const json::Value& one, const std::string& where) {
    const auto s = sizes_of(one);
    if (!rule.need(s.has_value(), where, "minNin, minHin, nw, nOut and hOut are numbers")) return;
    rule.need(s->h_out >= 0 && s->h_out <= s->n_out, where + ".hOut", "a number from 0 to nOut");
    rule.need(s->h_out <= s->h_in, where + ".hOut", "at most minHin");
    rule.need(s->h_out <= s->n_in, where + ".hOut", "at most minNin");
    rule.need(s->h_in <= s->n_in, where + ".minHin", "at most minNin");
    rule.need(s->n_out <= s->n_in, where + ".nOut", "at most minNin");
    const auto* named = vetted_function(text_at(one, "description").value_or(""));
    const bool variable = named != nullptr && named->n_out == 0;
    rule.need(variable || s->nw == s->n_out, where + ".nw",
              "equal to nOut: the function has one output length");
  });
}

void not_vetted(const Submission& of, Ruling& rule, bool bijective,
                const std::function<void(const Sizes&, const std::string&)>& act) {
  each(of, false, [&](const json::Value& one, const std::string& where) {
    if (flag_at(one, "bijectiveClaim").value_or(false) != bijective) return;
    const auto s = sizes_of(one);
    if (rule.need(s.has_value(), where, "minNin, minHin, nw, nOut and hOut are numbers"))
      act(*s, where);
  });
}

void not_bijective(const Submission& of, Ruling& rule) {
  not_vetted(of, rule, false, [&rule](const Sizes& s, const std::string& where) {
    rule.need(s.h_out >= 0 && s.h_out < s.n_out, where + ".hOut", "from 0 to below nOut");
    rule.need(s.h_out < s.h_in, where + ".hOut", "below minHin");
    rule.need(s.h_out < s.n_in, where + ".hOut", "below minNin");
    rule.need(s.n_in >= s.nw && s.nw >= s.n_out, where, "minNin >= nw >= nOut");
  });
}

void bijective(const Submission& of, Ruling& rule) {
  not_vetted(of, rule, true, [&rule](const Sizes& s, const std::string& where) {
    rule.need(s.n_in == s.nw && s.nw == s.n_out, where, "minNin = nw = nOut");
    rule.need(s.h_out == s.h_in, where + ".hOut", "equal to minHin");
    rule.need(s.h_out >= 0 && s.h_out <= s.n_out, where + ".hOut", "a number from 0 to nOut");
  });
}

constexpr std::array table{
    Rule{{request, "primaryNoiseSource", "a text that is not blank, at most 64 characters", ""},
         &primary_source},
    Rule{{request, "iidClaim", "present", ""}, &iid_claim},
    Rule{{request, "bitsPerSample", "from 1 to 256", ""}, &sample_bits},
    Rule{{request, "hminEstimate", "from 0 to bitsPerSample", ""}, &entropy_estimate},
    Rule{{request, "physical", "present", ""}, &physical},
    Rule{{request, "additionalNoiseSources", "present", ""}, &additional},
    Rule{{request, "numberOfRestarts", "at least 1000", ""}, &restarts},
    Rule{{request, "samplesPerRestart", "at least 1000", ""}, &restart_samples},
    Rule{{request, "conditioningComponent",
          "with additional noise sources: at least one, all of them vetted", ""},
         &components},
    Rule{{request, "conditioningComponent[].sequencePosition", "1 to n, each once", ""},
         &positions},
    Rule{{request, "conditioningComponent[].description",
          "vetted: a name of the vetted table; else own words, at most 64 characters", ""},
         &descriptions},
    Rule{{request, "conditioningComponent[].bijectiveClaim", "only when not vetted", ""},
         &bijective_claims},
    Rule{{request, "conditioningComponent[].validationNumber",
          "vetted: an existing algorithm validation; else absent", ""},
         &validation_numbers},
    Rule{{request, "conditioningComponent[].minHin", "from 0 to minNin", ""}, &entropy_in},
    Rule{{request, "vetted: minNin", "at least nw", ""}, &vetted_input},
    Rule{{request, "vetted: nw", "a width of the named function", ""}, &vetted_width},
    Rule{{request, "vetted: nOut", "an output length of the named function", ""}, &vetted_output},
    Rule{
        {request, "vetted: all",
         "0 <= hOut <= nOut, minHin, minNin; minHin <= minNin; nOut <= minNin; nw = nOut but for a "
         "variable output",
         ""},
        &vetted_all},
    Rule{{request, "not vetted not bijective",
          "0 <= hOut; hOut below nOut, minHin and minNin; minNin >= nw >= nOut", ""},
         &not_bijective},
    Rule{{request, "not vetted bijective", "minNin = nw = nOut; hOut = minHin; 0 <= hOut <= nOut",
          ""},
         &bijective},
};

}  // namespace

std::span<const Rule> source_rules() {
  return table;
}

}  // namespace talla::lab::esv
