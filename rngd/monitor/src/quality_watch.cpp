#include "monitor/quality_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talla::rngd {
namespace {

using Quality = stats::monitor::Quality;
constexpr std::array<Quality::Scale, 2> scales = {Quality::Scale::recent, Quality::Scale::lasting};

std::uint64_t standing(const std::vector<Quality::Row>& rows) {
  std::uint64_t count = 0;
  for (const auto& row : rows) {
    for (std::size_t scale = 0; scale < scales.size(); ++scale)
      count += (row.claim_alarm[scale] ? 1U : 0U) + (row.past_alarm[scale] ? 1U : 0U);
  }
  return count;
}

std::int64_t ppm(double share) {
  return std::llround(share * 1e6);
}

json::Object row_json(const Quality::Row& row) {
  json::Object out{{"name", row.measure}, {"alarms", row.alarms}};
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const std::string scale(stats::monitor::scale_name(scales[i]));
    if (row.share[i]) out[scale + "_ppm"] = ppm(*row.share[i]);
    out[scale + "_past_known"] = row.ready[i];
    out[scale + "_alarm"] = row.claim_alarm[i] ? "claim" : row.past_alarm[i] ? "past" : "none";
  }
  return out;
}

}  // namespace

std::string QualityWatch::Event::test_name() const {
  std::string measure = what.measure;
  std::ranges::replace(measure, ' ', '-');
  return "quality:" + source + "/" + measure + ":" + std::string(stats::monitor::scale_name(what.scale)) +
         ":" + std::string(stats::monitor::against_name(what.against)) + ":" + std::to_string(number);
}

void QualityWatch::add(const std::string& key, const entropy::SourceDescription& description,
                       std::int64_t now_us) {
  Quality::Options options;
  options.bits = description.bits_per_sample;
  options.millibits = description.assessed_millibits_per_sample;
  const std::scoped_lock lock(mutex_);
  Source& source = sources_[key];
  if (source.quality) return;
  constexpr double seconds_of_year = 365.25 * 86'400;
  source = {.quality = std::make_unique<Quality>(options),
            .since_us = now_us,
            .rate_per_sample = Quality::false_alarms_per_year(options, 1) / seconds_of_year};
}

void QualityWatch::observe(const std::string& key, std::span<const std::uint8_t> samples) {
  const std::scoped_lock lock(mutex_);
  const auto found = sources_.find(key);
  if (found == sources_.end()) return;
  std::vector<Quality::Event> fresh;
  found->second.quality->observe(samples, fresh);
  for (Quality::Event& event : fresh) {
    if (event.raised) ++found->second.alarms;
    events_.push_back({key, std::move(event), found->second.alarms, found->second.since_us});
  }
}

std::vector<QualityWatch::Event> QualityWatch::take_events() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(events_, {});
}

std::uint64_t QualityWatch::alarms_standing() const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t count = 0;
  for (const auto& [key, source] : sources_) count += standing(source.quality->rows());
  return count;
}

json::Array QualityWatch::status() const {
  json::Array all;
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, source] : sources_) {
    const auto rows = source.quality->rows();
    json::Array measures;
    for (const auto& row : rows) measures.emplace_back(row_json(row));
    const std::uint64_t told = source.quality->samples() / Quality::short_samples * Quality::short_samples;
    all.emplace_back(json::Object{{"source", key},
                                  {"samples", told},
                                  {"alarms_standing", standing(rows)},
                                  {"alarms", source.alarms},
                                  {"measures", std::move(measures)}});
  }
  return all;
}

void QualityWatch::add_metrics(std::map<std::string, double>& counters,
                               std::map<std::string, double>& gauges) const {
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, source] : sources_) {
    const std::string of_source = "{source=\"" + key + "\"}";
    counters["talla_quality_windows_total" + of_source] =
        static_cast<double>(source.quality->samples() / Quality::short_samples);
    gauges["talla_quality_false_alarms_per_million_samples" + of_source] = source.rate_per_sample * 1e6;
    for (const auto& row : source.quality->rows()) {
      const std::string measure = "source=\"" + key + "\",measure=\"" + row.measure + "\"";
      counters["talla_quality_alarms_total{" + measure + "}"] = static_cast<double>(row.alarms);
      for (std::size_t i = 0; i < scales.size(); ++i) {
        const std::string label =
            "{" + measure + ",window=\"" + std::string(stats::monitor::scale_name(scales[i])) + "\"}";
        if (row.share[i]) gauges["talla_quality_share" + label] = *row.share[i];
        gauges["talla_quality_alarm" + label] = row.claim_alarm[i] || row.past_alarm[i] ? 1 : 0;
      }
    }
  }
}

}  // namespace talla::rngd
