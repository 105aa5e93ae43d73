// What the quality tracker keeps over a restart: whole windows, alarms, counts.
#include "stats/monitor/quality.hpp"

namespace talla::stats::monitor {
namespace {

/// A share, 0 to 1.
double share_from(StateReader& in) {
  const double share = in.f64(0);
  if (share > 1) in.refuse("a share above one");
  return share;
}

bool flag_from(StateReader& in) {
  const std::uint32_t flag = in.u32();
  if (flag > 1) in.refuse("a flag that is none");
  return flag == 1;
}

/// A count below `end`.
std::uint64_t count_from(StateReader& in, std::uint64_t end) {
  const std::uint64_t count = in.u64();
  if (count >= end) in.refuse("a count is out of its range");
  return in.good() ? count : 0;
}

}  // namespace

void DriftWatch::save(StateWriter& out) const {
  out.u64(values_.size());
  out.f64s(values_);
  out.u64(at_);
  out.u32(alarm_ ? 1 : 0);
  out.f64(low_);
  out.f64(high_);
  out.u64(back_);
}

void DriftWatch::load(StateReader& in) {
  const std::size_t all = options_.reference + options_.run;
  values_.assign(count_from(in, all + 1), 0);
  for (double& value : values_) value = share_from(in);
  at_ = count_from(in, values_.size() == all ? all : 1);
  alarm_ = flag_from(in);
  low_ = share_from(in);
  high_ = share_from(in);
  back_ = count_from(in, options_.run);
  if (alarm_ && values_.size() != all) in.refuse("an alarm without a past");
}

void ClaimWatch::save(StateWriter& out) const {
  out.u32(above_);
  out.u32(below_);
  out.u32(alarm_ ? 1 : 0);
}

void ClaimWatch::load(StateReader& in) {
  above_ = in.u32();
  below_ = in.u32();
  alarm_ = flag_from(in);
}

void Quality::save(const Measure& measure, StateWriter& out) {
  out.text(measure.name);
  out.u64(measure.together.hits);
  out.u64(measure.together.trials);
  for (const auto& share : measure.share) {
    out.u32(share ? 1 : 0);
    out.f64(share.value_or(0));
  }
  for (const ClaimWatch& watch : measure.claim) watch.save(out);
  for (const DriftWatch& watch : measure.past) watch.save(out);
  out.u64(measure.alarms);
}

void Quality::load(Measure& measure, StateReader& in) {
  if (in.text() != measure.name) in.refuse("another measure was expected");
  measure.together.hits = in.u64();
  measure.together.trials = in.u64();
  if (measure.together.hits > measure.together.trials) in.refuse("more hits than trials");
  for (auto& share : measure.share) {
    const bool known = flag_from(in);
    const double value = share_from(in);
    share = known ? std::optional(value) : std::nullopt;
  }
  for (ClaimWatch& watch : measure.claim) watch.load(in);
  for (DriftWatch& watch : measure.past) watch.load(in);
  measure.alarms = in.u64();
}

void Quality::save(StateWriter& out) const {
  out.u32(options_.bits);
  out.u32(options_.millibits);
  out.u64(samples_ / short_samples);
  out.u64(measures_.size());
  for (const Measure& measure : measures_) save(measure, out);
}

void Quality::load(StateReader& in) {
  if (in.u32() != options_.bits || in.u32() != options_.millibits)
    in.refuse("a source of another kind");
  samples_ = count_from(in, std::uint64_t{1} << 47U) * short_samples;
  if (in.u64() != measures_.size()) in.refuse("another number of measures");
  for (Measure& measure : measures_) load(measure, in);
}

}  // namespace talla::stats::monitor
