// Goal: a laboratory gets samples only by order of two persons, only those that are named, only
//   what no draw uses and no other order gets, and the log says what it got; whatever goes wrong
//   ends the order (PROTOCOL section 8).
// Method: a whole appliance on simulated time whose outlet gives a stream of its own; the duty
//   alone where moments of a turn count.
#include "sampling.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "acts.hpp"
#include "alone.hpp"
#include "people.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t sampled_second_ns = 1'000'000'000;
constexpr std::int64_t sampled_day_ns = 86'400 * sampled_second_ns;

std::string order_of(std::int64_t bytes, const std::string& lab = "talla:lab-1",
                     const std::string& samples = "bits") {
  return R"({"act":"sampling-order","samples":")" + samples + R"(","object":")" + lab +
         R"(","bytes":)" + std::to_string(bytes) + "}";
}

class SamplingOrders : public ::testing::Test {
 protected:
  SamplingOrders() {
    rig.settings.sampling_bytes_per_second = 1'000'000;
    for (const auto* one : {&lab, &other_lab})
      rig.settings.clients.push_back({one->id, one->spki, {"lab"}});
    rig.settings.clients.push_back({second_officer.id, second_officer.spki, {"security-officer"}});
    rig.restart();
  }

  std::string asked(std::int64_t bytes, const std::string& for_whom = "talla:lab-1",
                    const std::string& samples = "bits") {
    const auto got = rig.post_as(rig.officer, "/v1/acts", order_of(bytes, for_whom, samples));
    EXPECT_EQ(got.status, 201) << got.body;
    return got.text({"act", "id"});
  }
  std::string ordered(std::int64_t bytes, const std::string& for_whom = "talla:lab-1",
                      const std::string& samples = "bits") {
    auto act = asked(bytes, for_whom, samples);
    const auto got = rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm");
    EXPECT_EQ(got.status, 200) << got.body;
    EXPECT_EQ(got.text({"act", "state"}), "confirmed");
    return act;
  }
  Got get_as(const Client& who, const std::string& act, std::int64_t offset = 0) {
    Request request = rig.request(
        "GET", "/v1/samples/" + act + (offset == 0 ? "" : "?offset=" + std::to_string(offset)));
    request.client = who;
    return rig.ask(std::move(request));
  }
  /// Turns without work until the order has ended; its state.
  std::string run(const std::string& act) {
    for (int turn = 0; turn < 4000; ++turn) {
      rig.service().run_until_idle();
      const auto state = act_state(act);
      if (state != "confirmed") return state;
      rig.clock.advance_ns(sampled_second_ns / 100);
    }
    return "runs on";
  }
  std::string act_state(const std::string& act) {
    Request request = rig.request("GET", "/v1/acts/" + act);
    request.client = rig.inspector;
    const auto got = rig.ask(std::move(request));
    return got.status == 200 ? got.text({"act", "state"}) : got.code();
  }
  Bytes fetched(const std::string& act) {
    Bytes all;
    while (true) {
      const auto got = get_as(lab, act, static_cast<std::int64_t>(all.size()));
      EXPECT_EQ(got.status, 200) << got.body;
      if (got.status != 200) return all;
      const auto piece = from_base64(got.text({"samples", "data"}));
      EXPECT_TRUE(piece && !piece->empty());
      if (!piece || piece->empty()) return all;
      all.insert(all.end(), piece->begin(), piece->end());
      if (static_cast<std::int64_t>(all.size()) >= got.number({"samples", "bytes"})) return all;
    }
  }
  std::vector<std::string> steps() {
    std::vector<std::string> all;
    for (const auto& record : rig.records(Kind::access)) {
      all.push_back(record.body.find("what")->string() + " " +
                    record.body.find("result")->string() + " " +
                    record.body.find("object")->string());
    }
    return all;
  }

  Rig rig;
  const Client lab = person_client("talla:lab-1", Role::lab);
  const Client other_lab = person_client("talla:lab-2", Role::lab);
  const Client second_officer = person_client("talla:officer-2", Role::security_officer);
};

TEST_F(SamplingOrders, PROTOCOL_8_two_persons_order_bits_and_the_log_says_what_the_laboratory_got) {
  const auto act = ordered(150'000);
  EXPECT_EQ(get_as(lab, act).text({"samples", "state"}), "confirmed");
  EXPECT_FALSE(get_as(lab, act).json.find("samples")->find("data")) << "not before its end";
  ASSERT_EQ(run(act), "done");
  const auto bits = fetched(act);
  ASSERT_EQ(bits.size(), 150'000U);
  EXPECT_THAT(steps(), ElementsAre("sampling-order.asked allowed bits:150000:talla:lab-1",
                                   "sampling-order.confirmed allowed bits:150000:talla:lab-1",
                                   "sampling-order.done allowed bits:150000:talla:lab-1"));
  const auto done = rig.records(Kind::access).back();
  const auto digest = to_hex(rig.hashes().sha256({bits}));
  EXPECT_EQ(done.body.find("digest")->string(), digest);
  EXPECT_EQ(done.cites, std::vector<std::uint64_t>{*certs::object_seq("act", act)});
  const auto view = get_as(lab, act);
  EXPECT_EQ(view.text({"samples", "digest"}), digest);
  EXPECT_EQ(view.number({"samples", "record"}), static_cast<std::int64_t>(done.seq));
  Request request = rig.request("GET", "/v1/receipts/" + std::to_string(done.seq));
  request.client = lab;
  EXPECT_EQ(rig.ask(std::move(request)).status, 200) << "the laboratory has the receipt too";
  EXPECT_EQ(rig.service().metrics().counters.at("talla_samples_bytes_total"), 150'000);
}

TEST_F(SamplingOrders, what_is_given_comes_of_the_outlet_alone_each_byte_once) {
  const auto first = ordered(10'000);
  ASSERT_EQ(run(first), "done");
  const auto some = fetched(first);
  rig.open_batch(rig.open_table(wheel_table));
  const auto second = ordered(5'000);
  ASSERT_EQ(run(second), "done");
  const auto more = fetched(second);
  Bytes both = some;
  both.insert(both.end(), more.begin(), more.end());
  EXPECT_EQ(both, rig.supply.given_away) << "nothing twice, nothing left out";
  const auto inside = [](const Bytes& all, ByteView piece) {
    return std::ranges::search(all, piece).begin() != all.end();
  };
  ASSERT_FALSE(rig.supply.given.empty());
  for (std::size_t at = 0; at + 16 <= both.size(); at += 16)
    ASSERT_FALSE(inside(rig.supply.given, ByteView(both).subspan(at, 16))) << at;
  const auto files = rig.all_files();
  EXPECT_EQ(files.find(std::string(both.begin(), both.begin() + 32)), std::string::npos)
      << "they are in memory alone";
}

TEST_F(SamplingOrders, raw_samples_come_out_of_one_source_in_runs_and_nothing_else_is_taken) {
  const auto act = ordered(10'000, lab.id, "raw-0");
  EXPECT_EQ(rig.supply.raw_of, 0U);
  ASSERT_EQ(run(act), "done");
  EXPECT_FALSE(rig.supply.raw_of) << "nothing is set aside any more";
  const auto samples = fetched(act);
  ASSERT_EQ(samples.size(), 10'000U);
  EXPECT_EQ(samples, Bytes(rig.supply.raw_given.begin(), rig.supply.raw_given.begin() + 10'000));
  EXPECT_EQ(rig.supply.raw_given.size(), 3U * 4096) << "the rest of the last run is wiped";
  EXPECT_THAT(rig.supply.given_away, IsEmpty());
  EXPECT_EQ(get_as(lab, act).number({"samples", "bits_per_sample"}), 8);
  const auto done = rig.records(Kind::access).back();
  EXPECT_EQ(done.body.find("object")->string(), "raw-0:10000:talla:lab-1");
  EXPECT_EQ(done.body.find("digest")->string(), to_hex(rig.hashes().sha256({samples})));
}

TEST_F(SamplingOrders, raw_samples_of_no_source_or_of_a_latched_one_are_not_set_aside) {
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", order_of(64, lab.id, "raw-1")).code(),
            "not_found");
  for (const char* name : {"raw", "raw-", "raw-8", "raw-00", "raw--1"})
    EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", order_of(64, lab.id, name)).code(),
              "malformed_request")
        << name;
  rig.supply.raw_ready = false;
  const auto act = ordered(10'000, lab.id, "raw-0");
  rig.service().run_until_idle();
  EXPECT_EQ(get_as(lab, act).number({"samples", "taken"}), 0) << "it waits";
  rig.supply.latch(entropy::LatchReason::health_permanent);
  EXPECT_EQ(run(act), "failed");
  EXPECT_FALSE(rig.supply.raw_of);
}

TEST_F(SamplingOrders, one_person_alone_or_twice_or_of_another_role_orders_nothing) {
  for (const Client& who : {rig.client, lab, rig.operator_}) {
    const auto got = rig.post_as(who, "/v1/acts", order_of(64));
    EXPECT_EQ(got.code(), "forbidden") << who.id;
  }
  const auto act = asked(64);
  const std::string confirm = "/v1/acts/" + act + "/confirm";
  EXPECT_EQ(rig.post_as(rig.officer, confirm).code(), "same_person");
  EXPECT_EQ(rig.post_as(second_officer, confirm).code(), "forbidden") << "two officers";
  EXPECT_EQ(rig.post_as(rig.operator_, confirm).code(), "forbidden");
  EXPECT_EQ(rig.post_as(lab, confirm).code(), "forbidden");
  rig.service().run_until_idle();
  EXPECT_EQ(get_as(lab, act).code(), "not_found");
  EXPECT_THAT(rig.supply.given_away, IsEmpty());
}

TEST_F(SamplingOrders, nobody_but_the_laboratory_that_is_named_gets_any) {
  const auto act = ordered(64);
  ASSERT_EQ(run(act), "done");
  EXPECT_EQ(get_as(other_lab, act).code(), "not_found");
  Client same_name = lab;
  same_name.spki = std::string(64, 'd');
  EXPECT_EQ(get_as(same_name, act).code(), "not_found") << "another key under its name";
  for (const Client& who : {rig.client, rig.officer, rig.inspector, rig.operator_})
    EXPECT_EQ(get_as(who, act).code(), "forbidden") << who.id;
  EXPECT_EQ(fetched(act).size(), 64U);
}

TEST_F(SamplingOrders, amounts_kinds_and_clients_that_there_are_not_are_refused) {
  const auto code = [&](const std::string& body) {
    return rig.post_as(rig.officer, "/v1/acts", body).code();
  };
  for (const std::int64_t bytes : {std::int64_t{-1}, std::int64_t{0}, certs::sample_bytes.min - 1,
                                   certs::sample_bytes.max + 1, json::integer_max})
    EXPECT_EQ(code(order_of(bytes)), "malformed_request") << bytes;
  EXPECT_EQ(code(order_of(64, "talla:lab-1", "cards")), "malformed_request");
  EXPECT_EQ(code(R"({"act":"sampling-order","object":"talla:lab-1","bytes":64})"),
            "malformed_request");
  EXPECT_EQ(code(order_of(64, "talla:nobody")), "not_found");
  EXPECT_EQ(code(order_of(64, rig.operator_.id)), "wrong_state") << "no laboratory";
  EXPECT_EQ(code(order_of(certs::sample_bytes.max)), "");
}

TEST_F(SamplingOrders, an_order_says_itself_in_one_text_that_reads_back) {
  const certs::SampleOrder wish{.samples = "bits", .count = 64, .client = "urn:lab:of:colons"};
  EXPECT_EQ(certs::SampleOrder::parse(wish.text()), wish);
  for (const char* bad :
       {"", "bits", "bits:64", "bits:64:", "bits:+64:a", "bits:064:a", "bits:63:a",
        "bits:10485761:a", "raw:64:a", "raw-8:64:a", "tea:64:a", "bits: 64:a", "bits:64x:a"})
    EXPECT_FALSE(certs::SampleOrder::parse(bad)) << bad;
}

TEST_F(SamplingOrders, without_the_setting_no_order_is_taken) {
  const auto act = asked(64);
  rig.settings.sampling_bytes_per_second = 0;
  rig.restart();
  const auto got = rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm");
  EXPECT_EQ(got.code(), "wrong_state") << "not one that was asked for before either";
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", order_of(128)).code(), "wrong_state");
  EXPECT_THAT(rig.supply.given_away, IsEmpty());
}

TEST_F(SamplingOrders, a_latch_takes_no_order_and_fails_the_one_under_way) {
  const auto act = ordered(100'000);
  rig.service().run_until_idle();
  ASSERT_FALSE(rig.supply.given_away.empty());
  rig.supply.latch(entropy::LatchReason::operator_request);
  EXPECT_EQ(run(act), "failed");
  EXPECT_EQ(steps().back(), "sampling-order.failed refused bits:100000:talla:lab-1");
  const auto view = get_as(lab, act);
  EXPECT_EQ(view.text({"samples", "state"}), "failed");
  EXPECT_EQ(view.number({"samples", "taken"}), 0) << "what was taken is gone";
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", order_of(64)).code(), "entropy_latched");
  ASSERT_EQ(rig.reset_latch().status, 200);
  const auto taken = rig.supply.given_away.size();
  rig.clock.advance_ns(sampled_second_ns);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), taken) << "it does not go on";
  const auto waiting = asked(64);
  rig.supply.latch(entropy::LatchReason::operator_request);
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + waiting + "/confirm").code(),
            "entropy_latched");
}

TEST_F(SamplingOrders, a_restart_fails_the_order_under_way_and_leaves_no_samples_of_a_whole_one) {
  const auto broken = ordered(100'000);
  rig.service().run_until_idle();
  rig.restart();
  EXPECT_EQ(act_state(broken), "failed");
  EXPECT_EQ(steps().back(), "sampling-order.failed refused bits:100000:talla:lab-1");
  EXPECT_EQ(get_as(lab, broken).code(), "not_found");
  const auto whole = ordered(64);
  ASSERT_EQ(run(whole), "done");
  rig.restart();
  EXPECT_EQ(get_as(lab, whole).code(), "not_found");
  EXPECT_EQ(steps().size(), 6U) << "and no step is added to one that has ended";
}

TEST_F(SamplingOrders, play_goes_on_while_nothing_is_to_spare_and_a_day_ends_the_order) {
  rig.supply.spare_bytes = 63;
  const auto act = ordered(6'400);
  rig.service().run_until_idle();
  EXPECT_THAT(rig.supply.given_away, IsEmpty()) << "less than a block";
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200);
  rig.supply.spare_bytes = 64;
  rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), 64U);
  rig.supply.spare_bytes = 0;
  rig.clock.advance_ns(sampled_day_ns - sampled_second_ns);
  rig.service().run_until_idle();
  EXPECT_EQ(act_state(act), "confirmed");
  rig.clock.advance_ns(2 * sampled_second_ns);
  EXPECT_EQ(run(act), "failed");
}

TEST_F(SamplingOrders, samples_are_kept_for_a_day_and_no_longer) {
  const auto act = ordered(64);
  ASSERT_EQ(run(act), "done");
  rig.clock.advance_ns(sampled_day_ns - 2 * sampled_second_ns);
  EXPECT_EQ(fetched(act).size(), 64U);
  rig.clock.advance_ns(3 * sampled_second_ns);
  rig.service().run_until_idle();
  EXPECT_EQ(get_as(lab, act).code(), "not_found");
}

TEST_F(SamplingOrders, they_come_no_faster_than_the_setting_says) {
  rig.settings.sampling_bytes_per_second = 256;
  rig.restart();
  const auto act = ordered(8192);
  for (int turn = 0; turn < 20; ++turn) rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), 4096U) << "however often it may look";
  rig.clock.advance_ns(16 * sampled_second_ns - 1);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), 4096U);
  rig.clock.advance_ns(1);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), 8192U);
  EXPECT_EQ(run(act), "done");
}

TEST_F(SamplingOrders, one_order_at_a_time_and_the_next_one_wipes_what_the_last_one_gave) {
  const auto first = ordered(100'000);
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", order_of(128)).code(), "wrong_state");
  ASSERT_EQ(run(first), "done");
  const auto second = ordered(64, other_lab.id);
  ASSERT_EQ(run(second), "done");
  EXPECT_EQ(get_as(lab, first).code(), "not_found");
  EXPECT_EQ(get_as(lab, second).code(), "not_found") << "of the other laboratory";
  EXPECT_EQ(get_as(other_lab, second).status, 200);
}

TEST_F(SamplingOrders, a_laboratory_that_is_put_out_in_the_middle_gets_nothing) {
  const auto act = ordered(100'000);
  rig.service().run_until_idle();
  const auto revoke =
      rig.post_as(rig.officer, "/v1/acts", R"({"act":"client-revoke","object":"talla:lab-1"})");
  ASSERT_EQ(
      rig.post_as(rig.inspector, "/v1/acts/" + revoke.text({"act", "id"}) + "/confirm").status,
      200);
  EXPECT_EQ(run(act), "failed");
}

TEST_F(SamplingOrders, no_piece_is_behind_the_end) {
  const auto act = ordered(70'000);
  ASSERT_EQ(run(act), "done");
  EXPECT_EQ(from_base64(get_as(lab, act).text({"samples", "data"}))->size(), piece_bytes);
  EXPECT_EQ(from_base64(get_as(lab, act, 65'536).text({"samples", "data"}))->size(), 4464U);
  EXPECT_EQ(from_base64(get_as(lab, act, 69'999).text({"samples", "data"}))->size(), 1U);
  EXPECT_EQ(get_as(lab, act, 70'000).code(), "malformed_request");
  EXPECT_EQ(get_as(lab, act, json::integer_max).code(), "malformed_request");
  EXPECT_EQ(get_as(lab, act, -1).code(), "malformed_request");
}

class SamplingDuty : public Alone {
 protected:
  std::uint64_t step(const Act& wanted, ActStage stage, const Client& person) {
    Author author;
    author.client = certs::Client{.id = person.id, .spki = *digest_from_hex(person.spki)};
    Act one = wanted;
    if (one.asked_by.id.empty()) one.asked_by = *author.client;
    auto tx = appliance->begin(std::move(author));
    const auto seq = add_step(tx, one, stage);
    EXPECT_TRUE(seq);
    tx.keep();
    return seq.value_or(0);
  }
};

TEST_F(SamplingDuty,
       nothing_is_taken_before_the_confirmation_is_durable_nor_given_before_the_end_is) {
  rig.settings.sampling_bytes_per_second = 4096;
  const Client lab = person_client("talla:lab-1", Role::lab);
  start();
  {
    auto tx = appliance->begin();
    ASSERT_TRUE(tx.add({Kind::key, {}, {}, client_key({lab.id, lab.spki, {"lab"}}, true)}));
    tx.keep();
  }
  Sampling sampling(*appliance);
  Act wanted;
  wanted.kind = ActKind::sampling_order;
  wanted.object = certs::SampleOrder{.samples = "bits", .count = 64, .client = lab.id}.text();
  const auto asked = step(wanted, ActStage::asked, rig.officer);
  const auto first = write();
  sampling.on_written(first);
  land(first);
  sampling.on_durable(first);
  sampling.on_pause();
  EXPECT_THAT(rig.supply.given_away, IsEmpty()) << "one person";
  step(appliance->world().acts.at(asked), ActStage::confirmed, rig.inspector);
  const auto id = certs::object_id("act", asked);
  sampling.on_written(first + 1);
  sampling.on_durable(first);
  sampling.on_pause();
  EXPECT_THAT(rig.supply.given_away, IsEmpty()) << "not durable";
  land(write());
  sampling.on_durable(first + 1);
  EXPECT_EQ(sampling.view(lab, id, 0)->at("state"), json::Value("confirmed"));
  sampling.on_pause();
  EXPECT_EQ(rig.supply.given_away.size(), 64U);
  EXPECT_THAT(told(), ElementsAre("ACCESS sampling-order.done allowed"));
  const auto early = sampling.view(lab, id, 0);
  EXPECT_EQ(early->at("state"), json::Value("confirmed"));
  EXPECT_FALSE(early->contains("data"));
  land(write());
  EXPECT_TRUE(sampling.view(lab, id, 0)->contains("data"));
  sampling.on_pause();
  EXPECT_EQ(rig.supply.given_away.size(), 64U) << "once";
}

}  // namespace
}  // namespace talla::core::test
