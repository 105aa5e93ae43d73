// Goal: the log's key changes by two persons, announced in the log by the old key (PROTOCOL
// sections 1 and 8, FORMAT.md section 5): nothing given before changes by a byte, verifiers follow
// from either key, and a crash anywhere leaves one key or the other.
// Method: a whole appliance on simulated time with real keys; every write and sync of its disk
//         fails once; chains changed in each part.
#include <gtest/gtest.h>

#include <filesystem>

#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/next_log_key.hpp"
#include "fault_vfs.hpp"
#include "format/key_change.hpp"
#include "rig.hpp"
#include "verify/verify.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;
using certs::testing::fault_plan;

const std::string ask_rotation = R"({"act":"log-key-rotate"})";

class Rotation : public ::testing::Test {
 protected:
  void SetUp() override {
    certs::testing::register_fault_vfs();
    fault_plan().clear();
    fault_plan().skip_sync = true;
    pattern_ = (std::filesystem::temp_directory_path() / "talla-rotation-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern_.data()), nullptr);
  }
  void TearDown() override {
    fault_plan().clear();
    std::filesystem::remove_all(pattern_);
  }
  /// A key that follows the one with this statement.
  certs::LogKeySource next_of(const std::string& statement) {
    const std::string name = pattern_ + "/" + std::to_string(made_++);
    certs::NextLogKeyOptions options;
    options.statement_path = statement;
    options.certificate_path = Rig::keys() + "/log-certificate.pem";
    options.certificate_key_path = Rig::keys() + "/log-certificate.key";
    options.key_path = name + ".key";
    options.out_path = name + ".json";
    const auto made = certs::make_next_log_key(options);
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return {.key = options.key_path, .statement = options.out_path};
  }
  void configure_next(Rig& rig) {
    rig.log_keys.push_back(next_of(rig.log_keys.front().statement));
    rig.restart();
  }
  static std::string asked(Rig& rig) {
    const auto reply = rig.post_as(rig.officer, "/v1/acts", ask_rotation);
    EXPECT_EQ(reply.status, 201) << reply.body;
    return reply.status == 201 ? reply.text({"act", "id"}) : std::string();
  }
  static std::string state_of(Rig& rig, const std::string& act) {
    rig.client = rig.inspector;
    const auto got = rig.get("/v1/acts/" + act);
    rig.client = table_client("talla:table-1");
    return got.status == 200 ? got.text({"act", "state"}) : got.body;
  }
  void rotate(Rig& rig) {
    const auto act = asked(rig);
    const auto done = rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm");
    ASSERT_EQ(done.status, 200) << done.body;
    ASSERT_EQ(state_of(rig, act), "done");
  }
  static std::string keys_of(Rig& rig) {
    const auto got = rig.get("/v1/log-keys");
    EXPECT_EQ(got.status, 200) << got.body;
    return got.body;
  }
  static std::string roots() { return *certs::read_file(Rig::keys() + "/ca.pem"); }

  std::string pattern_;
  int made_ = 0;
};

/// A reply that was given, and how it was asked for.
struct Given {
  std::string path, body, key, reply;
  std::uint64_t seq = 0;
};

Given draw_once(Rig& rig, const std::string& key) {
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table);
  Given given{"/v1/draws", rig.draw_body(batch, 0), key, {}, 0};
  const auto reply = rig.post(given.path, given.body, key);
  EXPECT_EQ(reply.status, 200) << reply.body;
  given.reply = reply.body;
  given.seq = reply.record(Kind::draw).seq;
  return given;
}

void expect_same(Rig& rig, const Given& given) {
  EXPECT_EQ(rig.post(given.path, given.body, given.key).body, given.reply);
}

Result<certs::Verdict> judge_receipts(const Given& given, const std::string& keys,
                                      const std::string& roots, const std::string& known = {}) {
  const auto reply = *json::parse(given.reply);
  Result<certs::Verdict> verdict = fail(Errc::not_found, "no receipt");
  for (const auto& receipt : reply.find("receipts")->array()) {
    verdict = certs::verify_receipt(json::canonical(receipt), keys, roots, {.known_key = known});
    if (!verdict) return verdict;
  }
  return verdict;
}

TEST_F(Rotation, PROTOCOL_8_two_persons_change_the_key_and_evidence_of_before_and_after_verifies) {
  Rig rig;
  const Given before = draw_once(rig, "before");
  configure_next(rig);
  const auto act = asked(rig);
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/" + act + "/confirm").code(), "same_person");
  const auto first = *certs::read_file(rig.log_keys[0].statement);
  const auto second = *certs::read_file(rig.log_keys[1].statement);
  EXPECT_EQ(certs::parse_log_keys(keys_of(rig))->changes.size(), 0U);
  ASSERT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").status, 200);
  EXPECT_EQ(state_of(rig, act), "done");
  expect_same(rig, before);
  const Given after = draw_once(rig, "after");
  const auto keys = keys_of(rig);
  const auto parsed = *certs::parse_log_keys(keys);
  ASSERT_EQ(parsed.changes.size(), 1U);
  const auto announced = *certs::parse_record(parsed.changes[0].record);
  EXPECT_EQ(certs::parse_checkpoint(parsed.changes[0].checkpoint)->checkpoint.size,
            announced.seq + 1);
  for (const auto& known : {first, second, keys}) {
    EXPECT_TRUE(judge_receipts(before, keys, roots(), known));
    EXPECT_TRUE(judge_receipts(after, keys, roots(), known));
    EXPECT_TRUE(certs::log_keys_follow(known, keys));
    for (const auto& given : {before, after}) {
      const auto bundle = rig.get("/v1/bundles/" + std::to_string(given.seq));
      const auto verdict = certs::verify_bundle(bundle.body, roots(), {.known_key = known});
      ASSERT_TRUE(verdict) << verdict.error().text();
      EXPECT_EQ(verdict->claim, given.seq);
    }
  }
  EXPECT_TRUE(judge_receipts(before, first, roots()))
      << "of before, the first statement alone is enough";
  EXPECT_FALSE(judge_receipts(after, first, roots()));
  EXPECT_FALSE(judge_receipts(after, second, roots())) << "nobody announced it here";
}

TEST_F(Rotation, a_key_that_is_not_the_next_one_is_refused_and_changes_nothing) {
  Rig rig;
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", ask_rotation).code(), "wrong_state")
      << "none is configured";
  const auto first = rig.log_keys.front();
  const auto next = next_of(first.statement);
  const auto refused = [&](const certs::LogKeySource& source, const std::string& words) {
    rig.log_keys = {first, source};
    rig.restart();
    const auto size = rig.log().size();
    const auto reply = rig.post_as(rig.officer, "/v1/acts", ask_rotation);
    EXPECT_EQ(reply.code(), "wrong_state") << reply.body;
    EXPECT_NE(reply.body.find(words), std::string::npos) << reply.body;
    EXPECT_EQ(rig.log().size(), size);
  };
  refused({.key = pattern_ + "/absent.key", .statement = next.statement}, "key_file_missing");
  refused(first, "signs the log already");
  refused(next_of(next.statement), "does not follow");
  refused({.key = next.key, .statement = first.statement}, "keys.next_log_key");
  // Another key than was asked for when it is confirmed.
  rig.log_keys = {first, next};
  rig.restart();
  const auto act = asked(rig);
  rig.log_keys = {first, next_of(first.statement)};
  rig.restart();
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").code(), "wrong_state");
  // A log that knows no such key is not signed by it.
  std::string why;
  rig.log_keys = {next};
  rig.crash();
  rig.try_open([&](const Error& error) { why = error.text(); });
  EXPECT_NE(why.find("wrong_log_key"), std::string::npos) << why;
}

TEST_F(Rotation, the_old_key_can_go_and_be_followed_by_a_third_over_many_groups) {
  Rig rig({}, certs::testing::fault_vfs_name);
  std::vector<Given> all{draw_once(rig, "first")};
  const auto groups = [&](int pairs) {
    for (int i = 0; i < pairs; ++i)
      ASSERT_EQ(rig.post("/v1/tables/" + rig.open_table(wheel_table) + "/close").status, 200);
  };
  groups(300);
  configure_next(rig);
  rotate(rig);
  rig.log_keys = {rig.log_keys[1]};
  rig.restart();
  for (const auto& given : all) expect_same(rig, given);
  all.push_back(draw_once(rig, "second"));
  groups(100);
  configure_next(rig);
  rotate(rig);
  all.push_back(draw_once(rig, "third"));
  rig.log_keys = {rig.log_keys[1]};
  rig.restart();
  const auto keys = keys_of(rig);
  EXPECT_EQ(certs::parse_log_keys(keys)->changes.size(), 2U);
  for (const auto& given : all) {
    expect_same(rig, given);
    const auto verdict = judge_receipts(given, keys, roots());
    EXPECT_TRUE(verdict) << verdict.error().text();
    rig.verify(given.seq);
  }
  EXPECT_GT(rig.log().prover().groups(), certs::signatures_per_document + 200);
}

/// The file with one part of its chain of keys changed.
void expect_refused(const std::string& text,
                    const std::function<Status(const std::string&)>& judge) {
  const json::Value whole = *json::parse(text);
  const auto& change = whole.find("key_changes")->array().at(0);
  ASSERT_TRUE(judge(json::canonical(whole)));
  json::Value without = whole;
  without.object().erase("key_changes");
  EXPECT_FALSE(judge(json::canonical(without))) << "the announcements are missing";
  json::Value swapped = whole;
  swapped["log_key"] = *change.find("log_key");
  EXPECT_FALSE(judge(json::canonical(swapped))) << "the old key for the new one";
  for (const auto& [name, value] : change.object()) {
    json::Value other = whole;
    auto& member = other["key_changes"].array().at(0)[name];
    if (name == "log_key") member = *whole.find("log_key");
    if (name == "checkpoint") member = *whole.find("checkpoint");
    if (name == "record") {
      std::string record = value.string();
      const auto at = record.find("\"boot\":");
      record[at + 7] = record[at + 7] == '1' ? '2' : '1';
      member = record;
    }
    if (value.is_array()) {
      ASSERT_FALSE(value.array().empty()) << name;
      member.array().back() = std::string(43, 'A') + "=";
    }
    EXPECT_FALSE(judge(json::canonical(other))) << name;
  }
}

TEST_F(Rotation, a_chain_of_keys_with_any_part_changed_is_refused) {
  Rig rig;
  draw_once(rig, "before");
  configure_next(rig);
  rotate(rig);
  const Given after = draw_once(rig, "after");
  const auto bundle = rig.get("/v1/bundles/" + std::to_string(after.seq)).body;
  expect_refused(bundle, [&](const std::string& text) -> Status {
    const auto verdict = certs::verify_bundle(text, roots());
    return verdict ? Status() : Status(tl::unexpected<Error>(verdict.error()));
  });
  expect_refused(keys_of(rig), [&](const std::string& text) -> Status {
    const auto verdict = judge_receipts(after, text, roots());
    return verdict ? Status() : Status(tl::unexpected<Error>(verdict.error()));
  });
  // A key of the same root that this log never had.
  const auto stranger = *certs::read_file(next_of(rig.log_keys[0].statement).statement);
  EXPECT_FALSE(certs::verify_bundle(bundle, roots(), {.known_key = stranger}));
}

TEST_F(Rotation, a_crash_at_any_write_leaves_one_key_or_the_other_and_the_act_is_ended) {
  int failures = 0;
  for (int failing = 0;; failing += failing < 12 ? 1 : 5) {
    SCOPED_TRACE(failing);
    Rig rig({}, certs::testing::fault_vfs_name);
    const Given before = draw_once(rig, "before");
    configure_next(rig);
    const auto act = asked(rig);
    fault_plan().fail_write_in = failing;
    const auto slot = rig.send([&] {
      auto request = rig.request("POST", "/v1/acts/" + act + "/confirm", "{}");
      request.client = rig.inspector;
      return request;
    }());
    rig.service().run_until_idle();
    const bool failed = rig.service().failed();
    fault_plan().clear();
    fault_plan().skip_sync = true;
    rig.restart();
    rig.service().run_until_idle();
    expect_same(rig, before);
    const auto state = state_of(rig, act);
    const auto changes = certs::parse_log_keys(keys_of(rig))->changes.size();
    EXPECT_EQ(changes, state == "done" ? 1U : 0U) << state;
    EXPECT_TRUE(state == "done" || state == "asked") << state;
    if (state == "asked") {
      ASSERT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").status, 200);
      EXPECT_EQ(state_of(rig, act), "done");
    }
    // From the durable announcement on the old key is not needed.
    rig.log_keys = {rig.log_keys[1]};
    rig.restart();
    expect_same(rig, before);
    rig.verify(draw_once(rig, "after").seq);
    if (!failed) break;
    ++failures;
    ASSERT_LT(failing, 200);
  }
  EXPECT_GT(failures, 3);
}

}  // namespace
}  // namespace talla::core::test
