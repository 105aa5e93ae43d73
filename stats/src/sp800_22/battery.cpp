#include "stats/sp800_22/battery.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plan.hpp"

namespace talla::stats::sp800_22 {
namespace {

struct Range {
  const char* name;
  std::size_t value, least, most;
};

Result<bool> check(const Parameters& parameters, std::size_t bits_count) {
  if (bits_count < 100 ||
      bits_count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return refuse("a sequence of " + std::to_string(bits_count) +
                  " bits: the tests take 100 to 2,147,483,647");
  }
  const std::array<Range, 6> ranges = {{
      {"block_frequency", parameters.block_frequency, 1, std::size_t{1} << 20},
      {"non_overlapping", parameters.non_overlapping, 2, 16},
      {"overlapping", parameters.overlapping, 2, 63},
      {"approximate_entropy", parameters.approximate_entropy, 1, 15},
      {"serial", parameters.serial, 2, 16},
      {"linear_complexity", parameters.linear_complexity, 4, 5000},
  }};
  for (const Range& range : ranges) {
    if (range.value < range.least || range.value > range.most) {
      return refuse(std::string(range.name) + " = " + std::to_string(range.value) +
                    ": allowed are " + std::to_string(range.least) + " to " +
                    std::to_string(range.most));
    }
  }
  return true;
}

std::string template_text(std::uint32_t pattern, std::size_t length) {
  std::string text;
  for (std::size_t k = length; k-- > 0;) text += ((pattern >> k) & 1U) != 0 ? '1' : '0';
  return text;
}

std::vector<std::string> states(int most) {
  std::vector<std::string> items;
  for (int x = -most; x <= most; ++x) {
    if (x != 0) items.push_back("x = " + std::to_string(x));
  }
  return items;
}

std::vector<std::string> items_of(Test test, const Plan& plan) {
  switch (test) {
    case Test::cumulative_sums:
      return {"forward", "reverse"};
    case Test::non_overlapping_template: {
      std::vector<std::string> items;
      items.reserve(plan.templates.size());
      for (const std::uint32_t pattern : plan.templates) {
        items.push_back(template_text(pattern, plan.parameters.non_overlapping));
      }
      return items;
    }
    case Test::random_excursions:
      return states(4);
    case Test::random_excursions_variant:
      return states(9);
    case Test::serial:
      return {"1", "2"};
    default:
      return {""};
  }
}

void lay_out_rows(Plan& plan) {
  for (std::size_t t = 0; t < tests_count; ++t) {
    plan.first_row[t] = plan.rows.size();
    for (auto& item : items_of(static_cast<Test>(t), plan))
      plan.rows.push_back({static_cast<Test>(t), std::move(item)});
  }
  plan.first_row[tests_count] = plan.rows.size();
}

}  // namespace

std::string_view profile_name(Profile profile) {
  return profile == Profile::nist_2_1_2 ? "nist-2.1.2" : "corrected";
}

Result<Profile> profile_from(std::string_view name) {
  for (const Profile profile : {Profile::nist_2_1_2, Profile::corrected}) {
    if (name == profile_name(profile)) return profile;
  }
  return refuse("profile " + std::string(name.substr(0, 40)) +
                ": there are nist-2.1.2 and corrected");
}

std::string_view test_name(Test test) {
  static constexpr std::array<std::string_view, tests_count> names = {"Frequency",
                                                                      "BlockFrequency",
                                                                      "CumulativeSums",
                                                                      "Runs",
                                                                      "LongestRun",
                                                                      "Rank",
                                                                      "FFT",
                                                                      "NonOverlappingTemplate",
                                                                      "OverlappingTemplate",
                                                                      "Universal",
                                                                      "ApproximateEntropy",
                                                                      "RandomExcursions",
                                                                      "RandomExcursionsVariant",
                                                                      "Serial",
                                                                      "LinearComplexity"};
  return names[static_cast<std::size_t>(test)];
}

Battery::Battery(std::unique_ptr<const Plan> plan) : plan_(std::move(plan)) {}
Battery::Battery(Battery&&) noexcept = default;
Battery& Battery::operator=(Battery&&) noexcept = default;
Battery::~Battery() = default;

Result<Battery> Battery::create(Profile profile, const Parameters& parameters,
                                std::size_t bits_count) {
  if (auto ok = check(parameters, bits_count); !ok) return tl::unexpected<Error>(ok.error());
  auto plan = std::make_unique<Plan>();
  plan->profile = profile;
  plan->parameters = parameters;
  plan->bits_count = bits_count;
  plan->templates = aperiodic_templates(parameters.non_overlapping);
  plan->longest_run_classes = longest_run_classes(profile, bits_count);
  plan->overlapping_classes = overlapping_classes(profile, parameters.overlapping);
  plan->complexity_classes = complexity_classes(profile, parameters.linear_complexity);
  plan->rank_classes = rank_classes();
  plan->log2_of.resize(4096);
  for (std::size_t i = 1; i < plan->log2_of.size(); ++i)
    plan->log2_of[i] = std::log2(static_cast<double>(i));
  lay_out_rows(*plan);
  return Battery(std::unique_ptr<const Plan>(std::move(plan)));
}

Profile Battery::profile() const {
  return plan_->profile;
}
const Parameters& Battery::parameters() const {
  return plan_->parameters;
}
std::size_t Battery::bits_count() const {
  return plan_->bits_count;
}
const std::vector<Row>& Battery::rows() const {
  return plan_->rows;
}

namespace {

void run_all(const Plan& plan, const Bits& bits, Spectrum& spectrum, std::span<double> p_values,
             std::vector<std::vector<Figure>>* figures) {
  std::fill(p_values.begin(), p_values.end(), std::numeric_limits<double>::quiet_NaN());
  const auto sink = [&](Test test) {
    const auto t = static_cast<std::size_t>(test);
    const std::size_t first = plan.first_row[t];
    return Sink{p_values.subspan(first, plan.first_row[t + 1] - first),
                figures != nullptr ? &(*figures)[first] : nullptr};
  };
  const Windows windows = count_windows(plan, bits);
  frequency(bits, sink(Test::frequency));
  block_frequency(plan, bits, sink(Test::block_frequency));
  cumulative_sums(plan, bits, sink(Test::cumulative_sums));
  runs(bits, sink(Test::runs));
  longest_run(plan, bits, sink(Test::longest_run));
  rank(plan, bits, sink(Test::rank));
  fft(plan, bits, spectrum, sink(Test::fft));
  non_overlapping_template(plan, windows, sink(Test::non_overlapping_template));
  overlapping_template(plan, bits, sink(Test::overlapping_template));
  universal(plan, bits, sink(Test::universal));
  approximate_entropy(plan, windows, sink(Test::approximate_entropy));
  excursions(plan, bits, sink(Test::random_excursions), sink(Test::random_excursions_variant));
  serial(plan, windows, sink(Test::serial));
  linear_complexity(plan, bits, sink(Test::linear_complexity));
}

}  // namespace

void Battery::run(const Bits& bits, Spectrum& spectrum, std::span<double> p_values) const {
  run_all(*plan_, bits, spectrum, p_values, nullptr);
}

std::vector<std::vector<Figure>> Battery::explain(const Bits& bits, Spectrum& spectrum,
                                                  std::span<double> p_values) const {
  std::vector<std::vector<Figure>> figures(plan_->rows.size());
  run_all(*plan_, bits, spectrum, p_values, &figures);
  return figures;
}

}  // namespace talla::stats::sp800_22
