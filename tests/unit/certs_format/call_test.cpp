// Goal: what a call binds, its digest, what is signed, and the numbers of contributors are those of
//       FORMAT.md section 8.
// Method: frozen values computed by the Python verifier; every member of a core changed; cores of
//         another form refused.
#include "format/call.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bodies.hpp"
#include "format/body_draw.hpp"
#include "format/call_subject.hpp"
#include "format/errc.hpp"
#include "frozen_core.hpp"

namespace talla::certs {
namespace {

json::Value contributor_said(const std::string& id) {
  return json::Object{{"commit", std::string(64, 'c')}, {"id", id}, {"key", "AAAA"}, {"t", 1}};
}

TEST(Call, core_and_C_have_their_frozen_values) {
  const CallCore core = frozen_core();
  EXPECT_EQ(core.bytes(), json::canonical(core.to_json()));
  EXPECT_EQ(to_hex(call_digest(hashes, core.bytes())),
            "b6ad7add30593682f05bddbe95c9e1b79d5f3d11e67fc17532f2607a1ddeb252");
  EXPECT_EQ(to_hex(call_digest(hashes, frozen_mix(416).bytes())),
            "efae56f5d6f123fb3277168137397d05d33cf0715b9f716d8a53e056ad50f438");
  const Bytes said = call_statement("x");
  EXPECT_EQ(as_text(said), std::string_view("talla/v2/call\0x", 15));
}

TEST(Call, numbers_and_what_is_handed_in_before_have_their_frozen_values) {
  const Digest value = contribution_value(hashes, filled(1), filled(7), 3);
  EXPECT_EQ(to_hex(value), "afc530c34207ffac7abc58474a707fd2ec5746e64a1ec8afe5241300c24de96f");
  EXPECT_EQ(to_hex(contribution_commit(hashes, filled(7), "seat-2", 3, value)),
            "9f14e6b825c7e6ccdb9c9d57b1f91d2906b7b02c22af1c8f2daf8eb01c54f257");
  const Bytes said = opening_statement(filled(8), "seat-2", 3, value);
  EXPECT_EQ(said.size(), 17U + 32U + 4U + 6U + 4U + 32U);
  EXPECT_NE(contribution_value(hashes, filled(1), filled(7), 4), value);
  EXPECT_NE(contribution_value(hashes, filled(1), filled(6), 3), value);
}

TEST(Call, PROTOCOL_5b_C_binds_every_member_of_the_core) {
  const json::Value core = frozen_core().to_json();
  std::set<std::string> seen{json::canonical(core)};
  std::size_t members = 1;
  for (const auto& member : core.object()) {
    if (member.first == "v" || member.first == "type") continue;
    json::Value changed = core;
    if (member.first == "others") changed["others"] = json::Array{contributor_said("seat-1")};
    if (member.second.is_integer()) changed[member.first] = member.second.integer() + 1;
    if (member.first == "round") changed["round"] = "round-3";
    if (member.first == "table") changed["table"] = "table-2";
    if (member.first == "object") changed["object"] = "batch-8";
    if (member.first == "specification") changed["specification"]["pockets"] = 38;
    if (member.first == "use") {
      changed = frozen_mix(52).to_json();
    } else if (changed == core) {
      const std::string text = member.second.string();
      changed[member.first] = text.size() == 64 ? std::string(64, 'b') : text + "x";
    }
    const auto read = CallCore::from_json(changed);
    ASSERT_TRUE(read) << member.first << ": " << read.error().text();
    EXPECT_NE(call_digest(hashes, read->bytes()), call_digest(hashes, frozen_core().bytes()))
        << member.first;
    seen.insert(read->bytes());
    ++members;
  }
  EXPECT_EQ(seen.size(), members);
  EXPECT_EQ(members, core.object().size() - 1);
}

TEST(Call, a_core_of_another_form_is_refused) {
  const auto refused = [](const CallCore& of, auto change) {
    json::Value core = of.to_json();
    change(core);
    return !CallCore::from_json(core).has_value();
  };
  const CallCore draw = frozen_core();
  EXPECT_FALSE(refused(draw, [](json::Value&) {}));
  EXPECT_FALSE(refused(frozen_mix(52), [](json::Value&) {}));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["v"] = 1; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["type"] = "call"; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["turn"] = 0; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["turn"] = 0x1'0000'0000; }));
  EXPECT_FALSE(refused(draw, [](json::Value& core) { core["at"] = 255; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["at"] = 256; }));
  EXPECT_FALSE(refused(frozen_mix(52), [](json::Value& core) { core["at"] = 256; }));
  EXPECT_TRUE(refused(frozen_mix(52), [](json::Value& core) { core["at"] = 1024; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["object"] = "shoe-9"; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["object"] = "table-9"; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["use"] = "mix"; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["nonce"] = "00"; }));
  EXPECT_TRUE(refused(draw, [](json::Value& core) { core["others"] = json::Array{1}; }));
  EXPECT_TRUE(refused(frozen_mix(52), [](json::Value& core) {
    core["specification"] = json::Object{{"candidates", 9}, {"places", 52}};
  }));
  EXPECT_TRUE(refused(frozen_mix(52), [](json::Value& core) {
    core["specification"] = json::Object{{"candidates", 1}, {"places", 0}};
  }));
  const json::Value whole = draw.to_json();
  for (const auto& member : whole.object()) {
    json::Object rest;
    for (const auto& one : whole.object())
      if (one.first != member.first) rest.emplace(one.first, one.second);
    EXPECT_FALSE(CallCore::from_json(rest)) << member.first << " is always there";
  }
}

/// An id stands in the sentence of a verdict: it must not read as more of it.
TEST(Call, contributors_are_at_most_64_with_ids_that_read_as_one) {
  const auto read = [](const json::Array& others) {
    json::Value core = frozen_core().to_json();
    core["others"] = others;
    return CallCore::from_json(core).has_value();
  };
  json::Array many;
  for (int i = 0; i < 64; ++i) many.push_back(contributor_said("seat-" + std::to_string(i)));
  EXPECT_TRUE(read(many));
  many.push_back(contributor_said("seat-64"));
  EXPECT_FALSE(read(many));
  const std::string longest(128, 'a');
  for (const std::string& id :
       {std::string("seat-1"), std::string("urn:talla:partner_2/a.b"), longest})
    EXPECT_TRUE(read({contributor_said(id)})) << id;
  for (const std::string& id :
       {std::string(), longest + "a", std::string("seat 1"), std::string("a, b"),
        std::string("a; repetitions before: 0"), std::string("a(key)"), std::string("a\"b")})
    EXPECT_FALSE(read({contributor_said(id)})) << id;
}

TEST(Call, a_VOID_names_who_did_not_open_exactly_where_they_withhold) {
  const auto read = [](const json::Object& body) { return VoidBody::from_json(body).has_value(); };
  const json::Object mix{{"call", 4},
                         {"cause", "withheld"},
                         {"missing", json::Array{"a", "b"}},
                         {"outcome", "unknown"}};
  EXPECT_TRUE(read(mix));
  EXPECT_EQ(class_of_object(Kind::void_call, mix), "shoe");
  json::Object draw = mix;
  draw["secret"] = std::string(64, 'a');
  draw["path"] = json::Array{};
  EXPECT_TRUE(read(draw));
  EXPECT_EQ(class_of_object(Kind::void_call, draw), "batch");
  const auto with = [&](const char* member, const json::Value& value) {
    json::Object changed = draw;
    changed[member] = value;
    return read(changed);
  };
  EXPECT_FALSE(with("missing", json::Array{}));
  EXPECT_FALSE(with("missing", json::Array{"b", "a"}));
  EXPECT_FALSE(with("missing", json::Array{"a", "a"}));
  EXPECT_FALSE(with("missing", json::Array{"a b"}));
  EXPECT_FALSE(with("outcome", json::Object{{"pocket", 1}}));
  EXPECT_FALSE(with("cause", "unrecoverable"));
  EXPECT_FALSE(with("cause", "order"));
  json::Object unsaid = draw;
  unsaid.erase("missing");
  EXPECT_FALSE(read(unsaid));
  json::Object pathless = draw;
  pathless.erase("path");
  EXPECT_FALSE(read(pathless));
  json::Object kept{{"call", 4}, {"cause", "unrecoverable"}, {"outcome", "unknown"}};
  EXPECT_TRUE(read(kept));
  EXPECT_EQ(class_of_object(Kind::void_call, kept), "batch");
  kept["secret"] = std::string(64, 'a');
  kept["path"] = json::Array{};
  EXPECT_FALSE(read(kept));
}

TEST(Call, a_signature_has_64_bytes) {
  for (const std::size_t size : {0U, 63U, 65U}) {
    json::Value body = CallBody{frozen_core(), {}}.to_json();
    EXPECT_TRUE(CallBody::from_json(body));
    body["signature"] = to_base64(Bytes(size, 1));
    EXPECT_FALSE(CallBody::from_json(body)) << size;
  }
}

TEST(Call, an_order_is_of_two_persons) {
  for (const std::size_t persons : {0U, 1U, 2U, 3U}) {
    CallBody body{frozen_core(), {}};
    body.order = CallOrder{{}, std::vector<CallOrderer>(persons, {"a", {1}, {}})};
    const auto read = CallBody::from_json(body.to_json());
    EXPECT_EQ(read.has_value(), persons == 2) << persons;
    if (!read) continue;
    EXPECT_EQ(read->order, body.order);
  }
}

/// D("order") || canonical {act, digest, head, object, origin}.
TEST(Call, an_order_is_signed_for_one_object_of_one_log_at_one_head) {
  const Bytes statement = order_statement("house/1", "round-9", Digest{});
  const std::string text(statement.begin(), statement.end());
  EXPECT_EQ(text, std::string("talla/v2/order") + '\0' +
                      R"({"act":"call-again","digest":"","head":")" + std::string(64, '0') +
                      R"(","object":"round-9","origin":"house/1"})");
}

TEST(CallSubjects, count_voids_and_know_whom_the_next_call_has_to_name) {
  CallSubjects subjects;
  CallCore core = frozen_core();
  core.round = "round-9";
  core.others = {{"seat-1", {1}, 1, {}}, {"seat-2", {2}, 1, {}}};
  subjects.called(core);
  subjects.ended(core, {"seat-2"});
  EXPECT_EQ(subjects.voids("round-9"), 1U);
  EXPECT_EQ(subjects.voids(core.object), 0U);
  EXPECT_EQ(subjects.dropped(core), nullptr);
  CallCore next = core;
  next.others = {core.others[1]};
  ASSERT_NE(subjects.dropped(next), nullptr);
  EXPECT_EQ(subjects.dropped(next)->id, "seat-1");
  next.others = {{"seat-1", {3}, 1, {}}};
  EXPECT_NE(subjects.dropped(next), nullptr) << "another key";
  subjects.lapsed(next);
  EXPECT_EQ(subjects.voids("round-9"), 2U);
  EXPECT_NE(subjects.dropped(next), nullptr) << "whom a core that lapsed named says nothing";
  auto again = CallSubjects::from_json(subjects.to_json());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_json(), subjects.to_json());
  EXPECT_NE(again->dropped(next), nullptr);
  EXPECT_FALSE(CallSubjects::from_json(json::Object{{"round-9", 1}}));
  subjects.forget_kept();
  EXPECT_EQ(subjects.dropped(next), nullptr);
  subjects.erase("round-9");
  EXPECT_EQ(subjects.voids("round-9"), 0U);
}

TEST(Call, belongs_to_the_shoe_or_batch_that_it_is_for) {
  EXPECT_EQ(class_of_object(Kind::call, CallBody{frozen_core(), {}}.to_json()), "batch");
  EXPECT_EQ(class_of_object(Kind::call, CallBody{frozen_mix(52), {}}.to_json()), "shoe");
  EXPECT_EQ(class_of_object(Kind::call, json::Object{{"core", 1}}), "batch");
}

}  // namespace
}  // namespace talla::certs
