// Counts what the report draws of a step, from the files of that step alone.
#include "plots.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "folder.hpp"

namespace talla::lab::submit {
namespace {

constexpr std::size_t byte_values = 256;
/// Runs of so many equal samples and more are one bar.
constexpr std::size_t run_longest = 16;
constexpr std::size_t p_bars = 20;

/// The objects of a list in JSON text whose numbers may be fractions, each as text.
std::vector<std::string_view> objects_in(std::string_view text, const std::string& list) {
  std::vector<std::string_view> out;
  const std::string head = "\"" + list + "\":[";
  const std::size_t at = text.find(head);
  if (at == std::string_view::npos) return out;
  std::size_t depth = 0;
  std::size_t begun = 0;
  bool quoted = false;
  for (std::size_t i = at + head.size(); i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    if (c == '"') quoted = true;
    if (c == ']' && depth == 0) break;
    if (c == '{' && depth++ == 0) begun = i;
    if (c != '}' || depth == 0) continue;
    --depth;
    if (depth == 0) out.push_back(text.substr(begun, i + 1 - begun));
  }
  return out;
}

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

json::Object bar(std::string label, std::uint64_t count) {
  return {{"count", count}, {"label", std::move(label)}};
}

void add_plot(json::Array& out, std::string what, std::string file, json::Array bars, bool even) {
  if (bars.empty()) return;
  out.emplace_back(json::Object{{"bars", std::move(bars)},
                                {"even", even},
                                {"file", std::move(file)},
                                {"what", std::move(what)}});
}

/// How often each result came, where it is counted alone (of dice each die, then their sum), and
/// how the tests' p-values lie.
void add_outcomes(const std::string& text, const std::string& file, json::Array& out) {
  const bool even = text_at(text, "/game").starts_with("wheel:");
  json::Array results;
  std::array<std::uint64_t, p_bars> lies{};
  std::uint64_t judged = 0;
  for (const std::string_view row : objects_in(text, "rows")) {
    const std::string item = text_at(row, "/item");
    const auto count = number_of<std::uint64_t>(text_at(row, "/statistic"));
    const bool frequency = text_at(row, "/test") == "frequency";
    if (frequency && item.empty())  // the test of what follows, as a whole
      add_plot(out, "outcomes", file, std::exchange(results, {}), even);
    if (frequency && !item.empty() && count) results.emplace_back(bar(item, *count));
    const auto p = number_of<double>(text_at(row, "/p"));
    if (!p || *p < 0 || *p > 1) continue;
    const auto place = static_cast<std::size_t>(*p * static_cast<double>(p_bars));
    ++lies.at(std::min(place, p_bars - 1));
    ++judged;
  }
  add_plot(out, "outcomes", file, std::move(results), even);
  json::Array p_values;
  constexpr std::size_t hundred = 100;
  for (std::size_t i = 0; judged > 0 && i < p_bars; ++i) {
    const std::string hundredths = std::to_string(i * hundred / p_bars);
    p_values.emplace_back(
        bar("0." + std::string(hundredths.size() < 2 ? "0" : "") + hundredths, lies.at(i)));
  }
  add_plot(out, "p-values", file, std::move(p_values), false);
}

/// How often each value came, and how long it came again and again.
void add_samples(const std::string& samples, const std::string& file, json::Array& out) {
  std::array<std::uint64_t, byte_values> seen{};
  std::array<std::uint64_t, run_longest> runs{};
  std::size_t largest = 0;
  for (std::size_t i = 0; i < samples.size();) {
    std::size_t end = i + 1;
    while (end < samples.size() && samples[end] == samples[i]) ++end;
    const auto value = static_cast<unsigned char>(samples[i]);
    seen.at(value) += end - i;
    largest = std::max<std::size_t>(largest, value);
    ++runs.at(std::min(end - i, run_longest) - 1);
    i = end;
  }
  if (samples.empty()) return;
  json::Array values;
  for (std::size_t i = 0; i <= largest; ++i)
    values.emplace_back(bar(std::to_string(i), seen.at(i)));
  add_plot(out, "samples", file, std::move(values), false);
  json::Array lengths;
  for (std::size_t i = 0; i < run_longest; ++i)
    lengths.emplace_back(
        bar(std::to_string(i + 1) + (i + 1 == run_longest ? "+" : ""), runs.at(i)));
  add_plot(out, "runs", file, std::move(lengths), false);
}

}  // namespace

json::Array plots_of(const std::string& out, const Step& step) {
  json::Array plots;
  const std::string outcomes = step.id() + "/outcomes.json";
  if (const auto text = content_of(out + "/" + outcomes)) add_outcomes(*text, outcomes, plots);
  const std::string raw = step.id() + "/raw.bin";
  if (const auto samples = content_of(out + "/" + raw)) add_samples(*samples, raw, plots);
  return plots;
}

}  // namespace talla::lab::submit
