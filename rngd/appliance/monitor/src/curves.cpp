// What is seen, asked and stored of the monitors' past.
#include "monitor/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "certs/files.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

constexpr std::int64_t minute_us = 60'000'000;
constexpr std::int64_t silence_ns = 20'000'000'000;
constexpr std::int64_t clock_step_us = 2'000'000;
constexpr const char* curves_name = "curves";
/// A figure of a chunk of 60 points has some thousand bytes.
constexpr std::size_t file_bytes_max = std::size_t{4} << 20U;

std::int64_t whole(double value, double unit) {
  constexpr double bound = 1e15;
  return std::llround(std::clamp(value * unit, -bound, bound));
}

void add_side(std::vector<CurveLook::Value>& values, const std::string& name, CurveSide side,
              const mon::BoardRow::Side& seen) {
  constexpr double thousandths = 1000;
  const std::int64_t now = whole(seen.log_value, thousandths);
  values.push_back({.name = name,
                    .side = side,
                    .low = now,
                    .high = whole(seen.log_greatest, thousandths),
                    .last = now});
}

void add_share(std::vector<CurveLook::Value>& values, const std::string& source,
               const QualityWatch::Quality::Row& row, std::size_t scale) {
  constexpr double millionths = 1e6;
  if (!row.share[scale]) return;
  const double now = *row.share[scale];
  values.push_back({.name = source + "/" + row.measure,
                    .side = scale == 0 ? CurveSide::recent : CurveSide::lasting,
                    .low = whole(row.least[scale].value_or(now), millionths),
                    .high = whole(row.greatest[scale].value_or(now), millionths),
                    .last = whole(now, millionths)});
}

json::Array numbers(const std::vector<std::int32_t>& values) {
  json::Array all;
  all.reserve(values.size());
  for (const std::int32_t value : values) all.emplace_back(std::int64_t{value});
  return all;
}

json::Array curves_json(const CurveTrack::Found& found) {
  json::Array curves;
  for (const auto& [key, runs] : found.curves) {
    json::Array stretches;
    for (const auto& run : runs)
      stretches.emplace_back(json::Object{{"from", run.from_us},
                                          {"low", numbers(run.low)},
                                          {"high", numbers(run.high)},
                                          {"last", numbers(run.last)}});
    curves.emplace_back(json::Object{
        {"name", key.first}, {"side", side_name(key.second)}, {"stretches", std::move(stretches)}});
  }
  return curves;
}

std::string file_name(const std::string& folder, const char* track, std::size_t slot) {
  std::string number = std::to_string(slot);
  if (number.size() < 2) number.insert(0, 1, '0');
  return folder + "/" + track + "-" + number;
}

/// The whole content of a plain file of a size that a chunk can have; else empty.
std::string content_of(const std::string& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed) || failed) return {};
  if (std::filesystem::file_size(file, failed) > file_bytes_max || failed) return {};
  return certs::read_file(file).value_or(std::string());
}

}  // namespace

Curves::Curves()
    : tracks_{{{"minutes", CurveTrack({.step_us = minute_us,
                                       .chunk_intervals = 60,
                                       .chunks = 25,
                                       .figures_of_family = 448})},
               {"hours", CurveTrack({.step_us = 60 * minute_us,
                                     .chunk_intervals = 24,
                                     .chunks = 32,
                                     .figures_of_family = 448})}}} {}

void Curves::see(std::int64_t utc_us, std::int64_t monotonic_ns,
                 const std::vector<mon::BoardRow>& monitors,
                 const std::vector<QualityWatch::Shares>& sources) {
  CurveLook look;
  utc_us = std::clamp<std::int64_t>(utc_us, 0, json::integer_max);
  look.utc_us = utc_us;
  look.monotonic_ns = monotonic_ns;
  for (const auto& row : monitors) {
    add_side(look.values, row.monitor, CurveSide::process, row.process);
    add_side(look.values, row.monitor, CurveSide::detector, row.detector);
  }
  for (const auto& source : sources) {
    for (const auto& row : source.rows) {
      for (std::size_t scale = 0; scale < row.share.size(); ++scale)
        add_share(look.values, source.source, row, scale);
    }
  }
  const std::scoped_lock lock(mutex_);
  const std::int64_t passed_ns = monotonic_ns - monotonic_ns_;
  look.broken = monotonic_ns_ < 0 || passed_ns > silence_ns ||
                std::abs(utc_us - utc_us_ - passed_ns / 1000) > clock_step_us;
  utc_us_ = utc_us;
  monotonic_ns_ = monotonic_ns;
  for (Named& one : tracks_) one.track.see(look);
}

json::Object Curves::history(const core::HistoryQuery& query) const {
  const CurveTrack::Range range{
      .from_us = query.from_us, .to_us = query.to_us, .limit = query.limit, .name = query.name};
  CurveTrack::Found found;
  json::Object out;
  {
    const std::scoped_lock lock(mutex_);
    const CurveTrack& track = tracks_[query.hours ? 1 : 0].track;
    found = track.find(range);
    out = {{"step", track.shape().step_us}, {"left_out", track.left_out()}, {"refused", refused_}};
    if (track.oldest_us() >= 0) out["oldest"] = track.oldest_us();
  }
  out["more"] = found.more;
  out["curves"] = curves_json(found);
  return out;
}

Status Curves::save(std::int64_t now_ns, std::int64_t interval_ns) {
  if (folder_.empty() || now_ns - saved_ns_ < interval_ns) return {};
  saved_ns_ = now_ns;
  auto stored = certs::create_folder(folder_);
  for (Named& one : tracks_) {
    std::vector<CurveTrack::Saved> changed;
    {
      const std::scoped_lock lock(mutex_);
      changed = one.track.take_changed();
    }
    for (const auto& chunk : changed) {
      mon::StateWriter out;
      out.text(curves_name);
      out.text(origin_);
      const std::string file = file_name(folder_, one.name, one.track.slot_of(chunk.number));
      if (stored) {
        stored = certs::replace_file(file, mon::frame_state(out.fields() + chunk.fields));
      }
      const std::scoped_lock lock(mutex_);
      if (!stored) one.track.not_stored(chunk.number);
    }
  }
  return stored;
}

std::vector<std::string> Curves::keep_in(const std::string& folder, const std::string& origin) {
  std::vector<std::string> refused;
  folder_ = folder;
  origin_ = origin;
  const std::scoped_lock lock(mutex_);
  for (Named& one : tracks_) {
    for (std::size_t slot = 0; slot < one.track.shape().chunks; ++slot) {
      const std::string file = file_name(folder, one.name, slot);
      std::error_code failed;
      if (std::filesystem::symlink_status(file, failed).type() ==
          std::filesystem::file_type::not_found)
        continue;
      const std::string content = content_of(file);
      const auto fields = mon::unframe_state(content);
      if (!fields) {
        refused.push_back(file + ": " + fields.error().detail);
        continue;
      }
      mon::StateReader in(*fields);
      if (in.text() != curves_name) in.refuse("it is not about the monitors' past");
      if (in.text() != origin) in.refuse("it belongs to another log");
      one.track.load(in, slot);
      if (const auto good = in.finish(); !good)
        refused.push_back(file + ": " + good.error().detail);
    }
  }
  refused_ = refused.size();
  return refused;
}

}  // namespace talla::rngd
