#include "monitor/quality_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talla::rngd {
namespace {

using Quality = stats::monitor::Quality;
constexpr const char* state_name = "quality";
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
  return "quality:" + source + "/" + measure + ":" +
         std::string(stats::monitor::scale_name(what.scale)) + ":" +
         std::string(stats::monitor::against_name(what.against)) + ":" + std::to_string(number);
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
  const auto kept = kept_.find(key);
  if (kept == kept_.end()) return;
  auto before = std::make_unique<Quality>(options);
  stats::monitor::StateReader in(kept->second.fields);
  before->load(in);
  if (in.finish()) {  // else it is of a tracker that measured otherwise: the past is learnt anew
    source.quality = std::move(before);
    source.since_us = kept->second.since_us;
    source.alarms = kept->second.alarms;
  }
  kept_.erase(kept);
}

std::string QualityWatch::save(const std::string& origin) const {
  constexpr std::size_t sources_max = 32;
  std::map<std::string, Kept> all;
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, source] : sources_) {
    stats::monitor::StateWriter fields;
    source.quality->save(fields);
    all[key] = {.since_us = source.since_us, .alarms = source.alarms, .fields = fields.fields()};
  }
  for (const auto& [key, kept] : kept_) {
    if (all.size() < sources_max) all.emplace(key, kept);
  }
  stats::monitor::StateWriter out;
  out.text(state_name);
  out.text(origin);
  out.u32(static_cast<std::uint32_t>(all.size()));
  for (const auto& [key, kept] : all) {
    out.text(key);
    out.i64(kept.since_us);
    out.u64(kept.alarms);
    out.text(kept.fields);
  }
  return stats::monitor::frame_state(out.fields());
}

stats::Result<bool> QualityWatch::load(const std::string& bytes, const std::string& origin) {
  const auto fields = stats::monitor::unframe_state(bytes);
  if (!fields) return tl::unexpected(fields.error());
  stats::monitor::StateReader in(*fields);
  if (in.text() != state_name) in.refuse("it is not about the quality of sources");
  if (in.text() != origin) in.refuse("it belongs to another log");
  std::map<std::string, Kept> all;
  for (std::uint32_t left = in.u32(); left > 0 && in.good(); --left) {
    const std::string key = in.text();
    Kept kept;
    kept.since_us = in.i64();
    kept.alarms = in.u64();
    kept.fields = in.text();
    all[key] = std::move(kept);
  }
  auto finished = in.finish();
  if (!finished) return finished;
  const std::scoped_lock lock(mutex_);
  kept_ = std::move(all);
  return true;
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

std::vector<QualityWatch::Shares> QualityWatch::take_shares() {
  std::vector<Shares> all;
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, source] : sources_) all.push_back({key, source.quality->take_rows()});
  return all;
}

json::Array QualityWatch::status() const {
  json::Array all;
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, source] : sources_) {
    const auto rows = source.quality->rows();
    json::Array measures;
    for (const auto& row : rows) measures.emplace_back(row_json(row));
    const std::uint64_t told =
        source.quality->samples() / Quality::short_samples * Quality::short_samples;
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
    const std::uint64_t windows = source.quality->samples() / Quality::short_samples;
    counters["talla_quality_windows_total" + of_source] = static_cast<double>(windows);
    gauges["talla_quality_false_alarms_per_million_samples" + of_source] =
        source.rate_per_sample * 1e6;
    for (const auto& row : source.quality->rows()) {
      const std::string measure = "source=\"" + key + "\",measure=\"" + row.measure + "\"";
      counters["talla_quality_alarms_total{" + measure + "}"] = static_cast<double>(row.alarms);
      for (std::size_t i = 0; i < scales.size(); ++i) {
        const std::string label = "{" + measure + ",window=\"" +
                                  std::string(stats::monitor::scale_name(scales[i])) + "\"}";
        if (row.share[i]) gauges["talla_quality_share" + label] = *row.share[i];
        gauges["talla_quality_alarm" + label] = row.claim_alarm[i] || row.past_alarm[i] ? 1 : 0;
      }
    }
  }
}

}  // namespace talla::rngd
