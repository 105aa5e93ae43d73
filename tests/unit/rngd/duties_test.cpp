// Goal: each duty of the sequencer does its own work and nothing else, told of the moments of a
//       turn by hand.
// Method: one duty at a time over an empty appliance with a real log, on simulated time.
#include <gmock/gmock.h>

#include "acts.hpp"
#include "alone.hpp"
#include "configuration.hpp"
#include "enrolment.hpp"
#include "expiry.hpp"
#include "fake_watch.hpp"
#include "free_disk.hpp"
#include "generator_records.hpp"
#include "people.hpp"
#include "rotation.hpp"
#include "state_gauges.hpp"
#include "tiles.hpp"
#include "watch_anchor.hpp"
#include "watch_clock.hpp"
#include "watch_disk.hpp"
#include "watch_software.hpp"

namespace talla::core::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t second_ns = 1'000'000'000;

class Duties : public Alone {
 public:
  ~Duties() override { disk_free_bytes.reset(); }

 protected:
  /// An act that the officer asks for, with its record in the log; `stage` confirmed: the inspector
  /// has confirmed it. Seq of its newest record.
  std::uint64_t act(const Act& wanted, ActStage stage) {
    auto seq = step(wanted, ActStage::asked, rig.officer);
    if (stage == ActStage::confirmed)
      seq = step(appliance->world().acts.at(seq), ActStage::confirmed, rig.inspector);
    return seq;
  }
  static Act of_kind(ActKind kind) {
    Act one;
    one.kind = kind;
    return one;
  }
  /// A client's certificate is enrolled, with its record in the log.
  void enrol(const EnrolledClient& client) {
    add({certs::Kind::key, {}, {}, client_key(client, true)});
  }
  std::uint64_t add(Addition addition) {
    auto tx = appliance->begin();
    const auto seq = tx.add(std::move(addition));
    EXPECT_TRUE(seq) << seq.error().text();
    tx.keep();
    land(write());
    return seq.value_or(0);
  }

 private:
  std::uint64_t step(const Act& wanted, ActStage stage, const Client& person) {
    Author author;
    author.client = certs::Client{.id = person.id, .spki = *digest_from_hex(person.spki)};
    Act one = wanted;
    if (one.asked_by.id.empty()) one.asked_by = *author.client;
    auto tx = appliance->begin(std::move(author));
    const auto seq = add_step(tx, one, stage);
    EXPECT_TRUE(seq) << seq.error().text();
    tx.keep();
    land(write());
    return seq.value_or(0);
  }
};

TEST_F(Duties, clock_step_beyond_its_bound_latches_until_it_is_forgotten) {
  ClockWatch watch(*appliance);
  rig.clock.step_utc_us(appliance->settings.clock_step_us_max);
  watch.on_turn();
  EXPECT_FALSE(watch.objection()) << "the bound itself is allowed";
  EXPECT_FALSE(rig.supply.latched());
  rig.clock.step_utc_us(-appliance->settings.clock_step_us_max - 1);
  watch.on_turn();
  EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::clock_step);
  ASSERT_TRUE(watch.objection());
  EXPECT_TRUE(watch.objection()->is(Errc::clock_stepped));
  watch.on_turn();
  EXPECT_TRUE(watch.stepped()) << "a clock that walks on has stepped all the same";
  watch.forget();
  EXPECT_FALSE(watch.objection());
}

TEST_F(Duties, low_disk_is_told_once_and_ends_with_room_to_spare) {
  constexpr std::uint64_t floor = std::uint64_t{1} << 30U;
  rig.settings.disk_reserve_bytes = floor;
  start();
  DiskWatch watch(*appliance);
  disk_free_bytes = 2 * floor;
  watch.on_pause();
  EXPECT_FALSE(watch.objection());
  EXPECT_THAT(told(), IsEmpty());
  disk_free_bytes = floor / 2;
  watch.on_pause();
  watch.on_pause();
  ASSERT_TRUE(watch.objection());
  EXPECT_TRUE(watch.objection()->is(Errc::disk_reserve));
  EXPECT_EQ(gauge("talla_disk_below_reserve"), 1);
  EXPECT_THAT(told(), ElementsAre("SELFTEST disk-reserve fail"));
  disk_free_bytes = floor + floor / 32;
  watch.on_pause();
  EXPECT_TRUE(watch.objection()) << "not at the border";
  disk_free_bytes = 2 * floor;
  watch.on_pause();
  EXPECT_FALSE(watch.objection());
  EXPECT_THAT(told(), ElementsAre("SELFTEST disk-reserve fail", "SELFTEST disk-reserve pass"));
}

TEST_F(Duties, anchor_that_stays_behind_stops_commitments_and_one_that_moves_does_not) {
  rig.settings.anchor_lost_us = 3'000'000;
  rig.settings.anchor_interval_us = 1'000'000'000;  // nobody writes it here
  start();
  AnchorWatch watch(*appliance);
  auto tx = appliance->begin();
  ASSERT_TRUE(
      tx.add({certs::Kind::power, {}, {}, json::Object{{"event", "start"}, {"clean", true}}}));
  tx.keep();
  land(write());
  watch.on_pause();
  EXPECT_GT(gauge("talla_anchor_lag_records"), 0);
  rig.clock.advance_ns(3 * second_ns - 1);
  watch.on_pause();
  EXPECT_FALSE(watch.objection());
  rig.clock.advance_ns(1);
  watch.on_pause();
  ASSERT_TRUE(watch.objection());
  EXPECT_TRUE(watch.objection()->is(Errc::anchor_lost));
  EXPECT_THAT(told(), ElementsAre("SELFTEST rollback-anchor fail"));
  land(write());
  ASSERT_TRUE(rig.log().write_anchor());
  watch.on_pause();
  EXPECT_FALSE(watch.objection());
  EXPECT_THAT(told(), ElementsAre("SELFTEST rollback-anchor pass"));
}

TEST_F(Duties, latch_outlives_the_process_and_its_reset_begins_when_its_confirmation_is_durable) {
  ClockWatch clock(*appliance);
  Latch latch(*appliance, clock);
  EXPECT_TRUE(latch.reset_possible().error().is(Errc::wrong_state)) << "nothing to reset";
  GeneratorRecords records(*appliance, latch);
  rig.supply.latch(entropy::LatchReason::operator_request);
  records.on_turn();
  EXPECT_TRUE(latch.stands());
  EXPECT_TRUE(latch.objection()->is(Errc::entropy_latched));
  EXPECT_TRUE(latch.reset_possible());
  act(of_kind(ActKind::latch_reset), ActStage::confirmed);
  constexpr std::uint64_t group = 7;
  latch.on_written(group);
  EXPECT_EQ(rig.supply.resets, 0) << "not durable yet";
  latch.on_durable(group - 1);
  EXPECT_EQ(rig.supply.resets, 0);
  latch.on_durable(group);
  EXPECT_EQ(rig.supply.resets, 1);
  EXPECT_TRUE(latch.resetting());
  latch.on_durable(group);
  EXPECT_EQ(rig.supply.resets, 1) << "once";

  Latch after(*appliance, clock);  // a crash before its end
  rig.supply.forget_latch();
  ASSERT_TRUE(after.load());
  EXPECT_TRUE(after.stands());
  EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::operator_request);
  ASSERT_TRUE(after.end_interrupted());
  EXPECT_THAT(told(), ElementsAre("ACCESS latch-reset.failed refused"));
}

TEST_F(Duties, reset_that_went_well_ends_the_latch_and_one_that_failed_does_not) {
  ClockWatch clock(*appliance);
  Latch latch(*appliance, clock);
  GeneratorRecords records(*appliance, latch);
  const auto reset = [&](bool passes) {
    rig.supply.reset_passes = passes;
    act(of_kind(ActKind::latch_reset), ActStage::confirmed);
    latch.on_written(1);
    latch.on_durable(1);
    records.on_turn();
  };
  rig.supply.latch(entropy::LatchReason::health_permanent);
  records.on_turn();
  EXPECT_THAT(told(), Contains("SELFTEST generator-health_permanent fail"));
  reset(false);
  EXPECT_TRUE(latch.stands());
  EXPECT_EQ(counter("talla_latch_resets_total{result=\"failed\"}"), 1);
  reset(true);
  EXPECT_FALSE(latch.stands());
  EXPECT_EQ(counter("talla_latch_resets_total{result=\"done\"}"), 1);
}

TEST_F(Duties, event_that_cannot_be_recorded_latches_and_ends_the_service) {
  ClockWatch clock(*appliance);
  Latch latch(*appliance, clock);
  GeneratorRecords records(*appliance, latch);
  rig.supply.model = std::string(1'000'000, 'm');  // longer than a record may be
  entropy::Event event;
  event.kind = entropy::EventKind::source;
  rig.supply.events.push_back(event);
  records.on_turn();
  EXPECT_TRUE(appliance->failed());
  EXPECT_TRUE(rig.supply.latched());
  EXPECT_EQ(counter("talla_event_records_lost_total"), 1);
}

TEST_F(Duties, refused_certificate_is_recorded_once_an_hour_for_each_reason) {
  Enrolment enrolment(*appliance);
  const auto refuse = [&](const std::string& reason) {
    enrolment.note_refused({"talla:x", std::string(64, 'e'), reason});
    enrolment.on_turn();
  };
  refuse("certificate-expired");
  refuse("certificate-expired");
  refuse("certificate-revoked");
  EXPECT_THAT(told(), ElementsAre("ACCESS certificate-expired refused",
                                  "ACCESS certificate-revoked refused"));
  rig.clock.advance_ns(3'600 * second_ns);
  refuse("certificate-expired");
  EXPECT_EQ(told().size(), 3U);
  EXPECT_EQ(counter("talla_certificates_refused_total"), 4) << "counted all the same";
}

TEST_F(Duties, who_is_enrolled_may_come_in_when_that_is_durable) {
  Enrolment enrolment(*appliance);
  enrolment.publish();
  const EnrolledClient client{"talla:new", std::string(64, 'b'), {"table", "no-such-role"}};
  enrol(client);
  enrolment.on_written(7);
  EXPECT_FALSE(enrolment.enrolled(client.id, client.spki));
  enrolment.on_durable(6);
  EXPECT_FALSE(enrolment.enrolled(client.id, client.spki));
  enrolment.on_durable(7);
  ASSERT_TRUE(enrolment.enrolled(client.id, client.spki));
  EXPECT_EQ(enrolment.enrolled(client.id, client.spki)->roles, RoleSet{Role::table});
  EXPECT_FALSE(enrolment.enrolled(client.id, std::string(64, 'c'))) << "another key";
}

TEST_F(Duties, configuration_counts_from_the_first_turn_in_which_the_appliance_serves) {
  rig.settings.config_digest.fill(0x77);
  start();
  Configuration configuration(*appliance);
  auto tx = appliance->begin();
  ASSERT_TRUE(configuration.on_start(tx));
  tx.keep();
  configuration.on_turn();
  EXPECT_FALSE(document(certs::documents::configuration()))
      << "a start that fails leaves the one before";
  configuration.serving();
  configuration.on_turn();
  EXPECT_EQ(document(certs::documents::configuration()), to_hex(rig.settings.config_digest));
}

TEST_F(Duties, changed_configuration_of_a_production_needs_its_approval) {
  rig.settings.profile = "production";
  start();
  enrol({rig.officer.id, rig.officer.spki, {"security-officer"}});
  enrol({rig.inspector.id, rig.inspector.spki, {"inspector"}});
  Digest digest{};
  digest.fill(0x55);
  const auto change = [&] {
    auto tx = appliance->begin();
    return approved_change(tx, appliance->settings, ActKind::config_change, digest,
                           "the configuration");
  };
  ASSERT_FALSE(change());
  EXPECT_TRUE(change().error().is(Errc::not_approved));
  Act wanted = of_kind(ActKind::config_change);
  wanted.digest = digest;
  const auto confirmed = act(wanted, ActStage::confirmed);
  EXPECT_THAT(*change(), ElementsAre(confirmed));
  digest.fill(0x56);
  EXPECT_FALSE(change()) << "an approval of something else";
}

TEST_F(Duties, software_check_that_finds_something_latches_and_stays_the_cause) {
  FakeWatch fake;
  rig.software = &fake;
  start();
  Replies replies(*appliance);
  SoftwareWatch watch(*appliance, replies);
  fake.tick();
  watch.on_turn();
  EXPECT_FALSE(watch.objection());
  EXPECT_EQ(watch.cause(), "");
  fake.found = {{"/usr/bin/rngd", "changed"}};
  fake.tick();
  watch.on_turn();
  EXPECT_TRUE(watch.objection()->is(Errc::software_mismatch));
  EXPECT_NE(watch.cause(), "");
  EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::software_mismatch);
  EXPECT_THAT(told(),
              ElementsAre("SELFTEST software-manifest pass", "SELFTEST software-manifest fail",
                          "SELFTEST software-changed:/usr/bin/rngd fail"));
  fake.found.clear();
  fake.tick();
  watch.on_turn();
  EXPECT_EQ(watch.cause(), "") << "put in order, so a reset can begin";
}

TEST_F(Duties, software_is_challenged_by_whoever_may_and_nobody_else) {
  FakeWatch fake;
  rig.software = &fake;
  start();
  Admission admission(*appliance);
  Replies replies(*appliance);
  SoftwareWatch watch(*appliance, replies);
  std::vector<Reply> got;
  const auto ask = [&](const Client& who, const std::string& body) {
    Request request = rig.request("POST", "/v1/software/challenge", body);
    request.client = who;
    Answer answer = [&](Reply reply) { got.push_back(std::move(reply)); };
    auto asked = admission.admit(std::move(request));
    if (asked) return watch.challenged(*asked, answer);
    answer(std::move(asked.error()));
    return true;
  };
  const std::string good = R"({"nonce":")" + std::string(32, 'a') + R"("})";
  EXPECT_TRUE(ask(rig.client, good));
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.back().status, 403);
  EXPECT_TRUE(ask(rig.inspector, R"({"nonce":"aa"})"));
  ASSERT_EQ(got.size(), 2U);
  EXPECT_NE(got.back().body.find("nonce_malformed"), std::string::npos);
  EXPECT_TRUE(ask(rig.inspector, good));
  EXPECT_EQ(got.size(), 2U) << "waits for its record";
  watch.on_turn();
  Replies::give(replies.take_plain());
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got.back().status, 200);
  const auto other = admission.admit(
      rig.request("POST", "/v1/tables", R"({"settled_by":"client","deck":"french52x1"})"));
  ASSERT_TRUE(other);
  Answer nobody;
  EXPECT_FALSE(watch.challenged(*other, nobody)) << "a command";
}

TEST_F(Duties, act_that_nobody_confirms_in_time_expires_once) {
  Expiry expiry(*appliance);
  Act wanted = of_kind(ActKind::config_change);
  wanted.digest.emplace();
  act(wanted, ActStage::asked);
  rig.clock.advance_ns(appliance->settings.act_lifetime_us * 1000 - 1000);
  expiry.on_turn();
  EXPECT_THAT(told(), IsEmpty());
  rig.clock.advance_ns(1000);
  expiry.on_turn();
  expiry.on_turn();
  EXPECT_THAT(told(), ElementsAre("ACCESS config-change.expired refused"));
}

TEST_F(Duties, first_start_of_a_log_announces_its_key_and_later_ones_do_not) {
  LogKeyRotation keys(*appliance, [] {});
  {
    auto tx = appliance->begin();
    ASSERT_TRUE(keys.on_start(tx));
  }
  EXPECT_THAT(told(), IsEmpty()) << "the rig's own start has announced it";
  EXPECT_TRUE(keys.whole());
  EXPECT_FALSE(keys.go_on()) << "nobody asked for a rotation";
  EXPECT_TRUE(keys.next_log_key().error().is(Errc::wrong_state));
}

TEST_F(Duties, rotation_without_a_next_key_fails_and_the_log_goes_on) {
  LogKeyRotation keys(*appliance, [] {});
  Act wanted = of_kind(ActKind::log_key_rotate);
  auto other = appliance->effects.log_key;
  other.signature.front() ^= 1;
  wanted.key = log_key_body(other);
  wanted.digest = key_digest(appliance->context.hashes, *wanted.key);
  act(wanted, ActStage::confirmed);
  for (int turn = 0; turn < 100 && told().empty(); ++turn) EXPECT_TRUE(keys.go_on());
  EXPECT_THAT(told(), ElementsAre("ACCESS log-key-rotate.failed refused"));
  EXPECT_TRUE(keys.whole());
  EXPECT_FALSE(appliance->failed());
}

TEST_F(Duties, tiles_are_written_at_most_once_a_second) {
  const auto folder = rig.folder() + "/tiles";
  auto writer = certs::TileWriter::open(rig.log(), folder);
  ASSERT_TRUE(writer) << writer.error().text();
  Effects effects = appliance->effects;
  effects.tiles = &*writer;
  auto catalogues = Catalogues::create(effects.hashes);
  Appliance with(rig.settings, std::move(effects), std::move(*catalogues));
  Tiles tiles(with);
  rig.clock.advance_ns(second_ns);
  tiles.on_pause();
  const auto before = writer->written_size();
  EXPECT_EQ(before, rig.log().size());
  auto tx = with.begin();
  ASSERT_TRUE(tx.add({certs::Kind::power, {}, {}, json::Object{{"event", "stop"}}}));
  tx.keep();
  land(write());
  rig.clock.advance_ns(second_ns - 1);
  tiles.on_pause();
  EXPECT_EQ(writer->written_size(), before);
  rig.clock.advance_ns(1);
  tiles.on_pause();
  EXPECT_EQ(writer->written_size(), before + 1);
}

TEST_F(Duties, gauges_say_what_the_state_holds_and_forget_what_is_gone) {
  StateGauges gauges(*appliance);
  certs::MeterOpenBody body;
  body.meter = "carrusel";
  body.game = "caribbean-stud";
  body.currency = "EUR";
  body.value = 12;
  const auto meter =
      certs::object_id("meter", add({certs::Kind::meter_open, {}, {}, body.to_json()}));
  gauges.on_pause();
  EXPECT_EQ(gauge("talla_meters_open"), 1);
  EXPECT_EQ(gauge("talla_meter_value{meter=\"" + meter + "\"}"), 12);
  add({certs::Kind::meter_close, meter, {}, certs::MeterCloseBody{12}.to_json()});
  appliance->forget_over();
  gauges.on_pause();
  EXPECT_EQ(gauge("talla_meters_open"), 0);
  EXPECT_FALSE(
      appliance->metrics.snapshot().gauges.contains("talla_meter_value{meter=\"" + meter + "\"}"));
}

}  // namespace
}  // namespace talla::core::test
