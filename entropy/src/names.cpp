// The names of the generator's states, events, verdicts, tests and errors.
#include "entropy/errc.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::bad_settings:
      return "entropy_bad_settings";
    case Errc::test_cannot_fire:
      return "entropy_test_cannot_fire";
    case Errc::undecided:
      return "entropy_undecided";
    case Errc::source_refused:
      return "entropy_source_refused";
    case Errc::source_failed:
      return "entropy_source_failed";
    case Errc::source_absent:
      return "entropy_source_absent";
    case Errc::crypto_failed:
      return "entropy_crypto_failed";
    case Errc::self_test_failed:
      return "entropy_self_test_failed";
    case Errc::not_started:
      return "entropy_not_started";
    case Errc::suspended:
      return "entropy_suspended";
    case Errc::latched:
      return "entropy_latched";
    case Errc::not_ready:
      return "entropy_not_ready";
    case Errc::request_too_large:
      return "entropy_request_too_large";
    case Errc::wrong_process:
      return "entropy_wrong_process";
    case Errc::wrong_state:
      return "entropy_wrong_state";
  }
  return "entropy_unknown";
}

std::string_view construction_name(Construction construction) {
  switch (construction) {
    case Construction::rbg3_xor:
      return "rbg3-xor";
    case Construction::system:
      return "system";
    case Construction::lab:
      return "lab";
  }
  return "unknown";
}

std::string_view assessment_origin_name(AssessmentOrigin origin) {
  switch (origin) {
    case AssessmentOrigin::assumed:
      return "assumed";
    case AssessmentOrigin::stated:
      return "stated";
    case AssessmentOrigin::unit:
      return "unit";
    case AssessmentOrigin::type:
      return "type";
  }
  return "unknown";
}

std::string_view drbg_kind_name(DrbgKind kind) {
  return kind == DrbgKind::ctr_aes256_df ? "ctr-drbg-aes-256-df" : "hmac-drbg-sha-512";
}

std::string_view conditioner_kind_name(ConditionerKind kind) {
  return kind == ConditionerKind::sha512 ? "sha-512" : "hmac-sha-512";
}

std::string_view state_name(State state) {
  switch (state) {
    case State::off:
      return "off";
    case State::startup:
      return "startup";
    case State::operational:
      return "operational";
    case State::suspended:
      return "suspended";
    case State::latched:
      return "latched";
  }
  return "unknown";
}

std::string_view latch_reason_name(LatchReason reason) {
  switch (reason) {
    case LatchReason::none:
      return "none";
    case LatchReason::health_permanent:
      return "health_permanent";
    case LatchReason::source_failed:
      return "source_failed";
    case LatchReason::drbg_failed:
      return "drbg_failed";
    case LatchReason::seed_failed:
      return "seed_failed";
    case LatchReason::self_test_failed:
      return "self_test_failed";
    case LatchReason::startup_timeout:
      return "startup_timeout";
    case LatchReason::operator_request:
      return "operator_request";
    case LatchReason::clock_step:
      return "clock_step";
    case LatchReason::fork:
      return "fork";
    case LatchReason::software_mismatch:
      return "software_mismatch";
    case LatchReason::machine_copied:
      return "machine_copied";
    case LatchReason::other:
      return "other";
  }
  return "unknown";
}

std::string_view health_test_name(HealthTest test) {
  switch (test) {
    case HealthTest::none:
      return "none";
    case HealthTest::repetition_count:
      return "repetition_count";
    case HealthTest::adaptive_proportion:
      return "adaptive_proportion";
    case HealthTest::lag:
      return "lag";
    case HealthTest::most_common_window:
      return "most_common_window";
    case HealthTest::successor:
      return "successor";
    case HealthTest::most_common_long:
      return "most_common_long";
    case HealthTest::sample_range:
      return "sample_range";
    case HealthTest::stall:
      return "stall";
    case HealthTest::rate:
      return "rate";
    case HealthTest::stream:
      return "stream";
    case HealthTest::duplicate_word:
      return "duplicate_word";
  }
  return "unknown";
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::untested:
      return "untested";
    case Verdict::good:
      return "good";
    case Verdict::testing:
      return "testing";
    case Verdict::failed:
      return "failed";
  }
  return "unknown";
}

std::string_view event_kind_name(EventKind kind) {
  switch (kind) {
    case EventKind::health:
      return "HEALTH";
    case EventKind::reseed:
      return "RESEED";
    case EventKind::self_test:
      return "SELFTEST";
    case EventKind::state:
      return "STATE";
    case EventKind::source:
      return "SOURCE";
  }
  return "unknown";
}

}  // namespace talla::entropy
