// Goal: a laboratory gets outcomes of a table of class lab by order of two persons alone, mapped as
//   play is, of bits that no draw and no other order uses; they are in no table, round, monitor,
//   event of play or month, and a latch wipes them (PROTOCOL section 8).
// Method: a whole appliance on simulated time whose outlet gives a stream of its own; the outcomes
//   are mapped again from their bits.
#include <gmock/gmock.h>

#include <algorithm>

#include "format/bundle.hpp"
#include "format/lab_table.hpp"
#include "format/merkle.hpp"
#include "people.hpp"
#include "sampling.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string lab_wheel = "lab/es-1977/french-roulette/wheel-37";
const std::string lab_shoe = "lab/es-1977/punto-banco/shoe-french52x8";

std::string outcomes_order(const std::string& samples, std::int64_t count,
                           const std::string& number = "count") {
  return R"({"act":"sampling-order","samples":")" + samples + R"(","object":"talla:lab-1",")" +
         number + R"(":)" + std::to_string(count) + "}";
}

class LabTables : public ::testing::Test {
 protected:
  LabTables() {
    rig.settings.sampling_bytes_per_second = 10'000'000;
    rig.settings.clients.push_back({lab.id, lab.spki, {"lab"}});
    rig.restart();
  }
  std::string ordered(const std::string& samples, std::int64_t count) {
    const auto got = rig.post_as(rig.officer, "/v1/acts", outcomes_order(samples, count));
    EXPECT_EQ(got.status, 201) << got.body;
    auto act = got.text({"act", "id"});
    EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").status, 200);
    return act;
  }
  Got get(const Client& who, const std::string& path) {
    Request request = rig.request("GET", path);
    request.client = who;
    return rig.ask(std::move(request));
  }
  Got view(const std::string& act, std::size_t offset = 0) {
    return get(lab,
               "/v1/samples/" + act + (offset == 0 ? "" : "?offset=" + std::to_string(offset)));
  }
  std::string run(const std::string& act) {
    for (int turn = 0; turn < 4000; ++turn) {
      rig.service().run_until_idle();
      const auto got = get(rig.inspector, "/v1/acts/" + act);
      if (got.text({"act", "state"}) != "confirmed") return got.text({"act", "state"});
      rig.clock.advance_ns(10'000'000);
    }
    return "runs on";
  }
  std::string fetched(const std::string& act) {
    std::string all;
    while (true) {
      const auto got = view(act, all.size());
      const auto piece = from_base64(got.text({"samples", "data"}));
      EXPECT_TRUE(piece && !piece->empty()) << got.body;
      if (!piece || piece->empty()) return all;
      all.append(piece->begin(), piece->end());
      if (static_cast<std::int64_t>(all.size()) >= got.number({"samples", "bytes"})) return all;
    }
  }
  Digest asked_leaf() {
    return certs::leaf_hash(rig.hashes(),
                            as_bytes(*certs::write_record(rig.records(Kind::access).front())));
  }
  /// Bits of all lines, each of which is mapped again.
  Bytes bits_of(const std::string& outcomes, const std::string& table, std::int64_t count) {
    Bytes all;
    std::int64_t lines = 0;
    for (std::size_t at = 0; at < outcomes.size(); ++lines) {
      const auto end = outcomes.find('\n', at);
      const auto line = outcomes.substr(at, end - at);
      const auto bits = from_hex(line.substr(0, line.find(' ')));
      EXPECT_TRUE(bits) << line;
      const auto again =
          certs::lab_outcome(rig.hashes(), *certs::LabTable::parse(table), *bits, asked_leaf());
      EXPECT_TRUE(again && line == to_hex(*bits) + " " + *again) << line;
      all.insert(all.end(), bits->begin(), bits->end());
      at = end + 1;
    }
    EXPECT_EQ(lines, count);
    return all;
  }

  Rig rig;
  const Client lab = person_client("talla:lab-1", Role::lab);
};

TEST_F(LabTables, PROTOCOL_8_two_persons_order_spins_and_the_log_has_their_digest) {
  const auto act = ordered(lab_wheel, 1000);
  ASSERT_EQ(run(act), "done");
  const auto got = view(act);
  EXPECT_EQ(got.text({"samples", "samples"}), lab_wheel);
  EXPECT_EQ(got.number({"samples", "count"}), 1000);
  const auto outcomes = fetched(act);
  EXPECT_EQ(bits_of(outcomes, lab_wheel, 1000), rig.supply.given_away)
      << "of the outlet alone, each byte once";
  const auto done = rig.records(Kind::access).back();
  EXPECT_EQ(done.body.find("what")->string(), "sampling-order.done");
  EXPECT_EQ(done.body.find("object")->string(), lab_wheel + ":1000:talla:lab-1");
  EXPECT_EQ(done.body.find("digest")->string(), to_hex(rig.hashes().sha256({as_bytes(outcomes)})));
}

TEST_F(LabTables, a_shoe_is_shuffled_as_in_play_and_uses_up_its_bits) {
  const auto act = ordered(lab_shoe, 200);  // words are refused in some of them
  ASSERT_EQ(run(act), "done");
  const auto bits = bits_of(fetched(act), lab_shoe, 200);
  EXPECT_GT(bits.size(), 200 * certs::LabTable::parse(lab_shoe)->outcome_bytes());
  EXPECT_TRUE(std::ranges::equal(bits, ByteView(rig.supply.given_away).first(bits.size())));
}

TEST_F(LabTables, no_table_round_or_event_of_play_knows_of_them) {
  const auto table = rig.open_table(wheel_table);
  rig.open_batch(table);
  const auto drawn = rig.supply.given.size();
  const auto act = ordered(lab_wheel, 5000);
  ASSERT_EQ(run(act), "done");
  EXPECT_EQ(rig.supply.given.size(), drawn) << "nothing of the stream that feeds draws";
  EXPECT_EQ(rig.records(Kind::access).back().seq, rig.records(Kind::access).front().seq + 2)
      << "three records, one behind the other";
  EXPECT_EQ(rig.records(Kind::table_open).size(), 1U);
  EXPECT_THAT(rig.records(Kind::draw), IsEmpty());
  const auto tables = get(rig.inspector, "/v1/tables");
  EXPECT_EQ(tables.body.find("lab/"), std::string::npos);
  const auto month = get(rig.inspector, "/v1/month?month=2026-01");
  EXPECT_EQ(month.body.find("lab/"), std::string::npos) << month.body;
  for (const auto& [name, value] : rig.service().metrics().counters) {
    const bool of_play = name.starts_with("talla_draw") || name.starts_with("talla_round");
    EXPECT_TRUE(!of_play || value == 0) << name << " " << value;
  }
}

TEST_F(LabTables, its_steps_are_given_as_a_laboratory_file_to_the_laboratory_too) {
  const auto act = ordered(lab_wheel, 10);
  rig.open_table(wheel_table);  // between confirmation and end
  ASSERT_EQ(run(act), "done");
  const auto seq = view(act).number({"samples", "record"});
  const auto got = get(lab, "/v1/bundles/" + std::to_string(seq));
  ASSERT_EQ(got.status, 200) << got.body;
  const auto file = certs::parse_bundle(got.body);
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_TRUE(file->laboratory);
  EXPECT_FALSE(file->outcomes) << "they are in no log";
  std::vector<std::string> steps;
  for (const auto& entry : file->records)
    steps.push_back(certs::parse_record(entry.record)->body.find("what")->string());
  EXPECT_THAT(steps, ElementsAre("sampling-order.asked", "sampling-order.confirmed",
                                 "sampling-order.done"));
  EXPECT_EQ(
      get(lab, "/v1/bundles/" + std::to_string(rig.records(Kind::table_open).front().seq)).code(),
      "not_found")
      << "of play it gets none";
}

TEST_F(LabTables, an_order_of_bits_is_no_evidence_file) {
  const auto got = rig.post_as(rig.officer, "/v1/acts", outcomes_order("bits", 64, "bytes"));
  ASSERT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + got.text({"act", "id"}) + "/confirm").status,
            200);
  ASSERT_EQ(run(got.text({"act", "id"})), "done");
  const auto seq = rig.records(Kind::access).back().seq;
  EXPECT_EQ(get(lab, "/v1/bundles/" + std::to_string(seq)).code(), "not_found");
}

TEST_F(LabTables, tables_amounts_and_numbers_that_there_are_not_are_refused) {
  const auto refused = [&](const std::string& body) {
    return rig.post_as(rig.officer, "/v1/acts", body);
  };
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{80'001}})
    EXPECT_EQ(refused(outcomes_order(lab_wheel, count)).code(), "malformed_request") << count;
  EXPECT_EQ(refused(outcomes_order(lab_shoe, 3'001)).code(), "malformed_request");
  EXPECT_EQ(refused(outcomes_order(lab_wheel, 100, "bytes")).code(), "malformed_request");
  EXPECT_EQ(refused(outcomes_order("bits", 100)).code(), "malformed_request");
  for (const char* samples :
       {"lab/", "lab/es-1977/french-roulette", "lab/es-1977/french-roulette/wheel-037",
        "lab/es-1977/french-roulette/wheel-1", "lab/es-1977/french-roulette/shoe-french52x9",
        "lab/es-1977/French/wheel-37", "lab/es-1977/french-roulette/wheel-37:5",
        "Lab/es-1977/french-roulette/wheel-37", "lab-1"})
    EXPECT_EQ(refused(outcomes_order(samples, 100)).code(), "malformed_request") << samples;
  EXPECT_EQ(refused(outcomes_order("lab/es-1900/french-roulette/wheel-37", 100)).code(),
            "catalogue_unknown");
  const auto other = refused(outcomes_order("lab/es-1977/french-roulette/wheel-38", 100));
  EXPECT_EQ(other.code(), "malformed_request");
  EXPECT_THAT(other.body, HasSubstr(lab_wheel)) << "it says which one there is";
  EXPECT_EQ(rig.records(Kind::access).size(), 0U);
}

TEST_F(LabTables, a_latch_in_the_middle_wipes_all_of_it) {
  rig.settings.sampling_bytes_per_second = 4096;
  rig.restart();
  const auto act = ordered(lab_wheel, 10'000);
  rig.service().run_until_idle();
  EXPECT_GT(view(act).number({"samples", "taken"}), 0);
  EXPECT_FALSE(view(act).json.find("samples")->find("data")) << "not before its end";
  rig.supply.latch(entropy::LatchReason::operator_request);
  EXPECT_EQ(run(act), "failed");
  EXPECT_EQ(view(act).number({"samples", "taken"}), 0);
  EXPECT_EQ(rig.records(Kind::access).back().body.find("digest"), nullptr);
}

TEST_F(LabTables, they_come_no_faster_than_the_setting_says_counted_in_bits) {
  rig.settings.sampling_bytes_per_second = 256;
  rig.restart();
  const auto act = ordered(lab_wheel, 200);  // 6,400 bytes
  for (int turn = 0; turn < 20; ++turn) rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), 4096U);
  rig.clock.advance_ns(std::int64_t{16} * 1'000'000'000);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.supply.given_away.size(), 6400U);
  EXPECT_EQ(run(act), "done");
}

TEST_F(LabTables, one_person_alone_orders_none) {
  for (const Client& who : {rig.client, lab, rig.operator_})
    EXPECT_EQ(rig.post_as(who, "/v1/acts", outcomes_order(lab_wheel, 10)).code(), "forbidden");
  const auto got = rig.post_as(rig.officer, "/v1/acts", outcomes_order(lab_wheel, 10));
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/" + got.text({"act", "id"}) + "/confirm").code(),
            "same_person");
  rig.service().run_until_idle();
  EXPECT_THAT(rig.supply.given_away, IsEmpty());
}

}  // namespace
}  // namespace talla::core::test
