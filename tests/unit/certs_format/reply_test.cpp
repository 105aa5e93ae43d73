// Goal: a reply's body is its head with the receipts in canonical order, whatever the head holds.
// Method: random heads against the generic writer; heads that are none are refused.
#include "format/reply.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

/// A receipt as the generic writer has it.
json::Value receipt_json(const Receipt& receipt) {
  return json::Object{{"proof", receipt.proof}, {"record", receipt.record}};
}

json::Value any_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 5 : 3)) {
    case 0:
      return *rc::gen::inRange(-1000, 1000);
    case 1:
      return *rc::gen::container<std::string>(rc::gen::inRange<char>(0x01, 0x7F));
    case 2:
      return *rc::gen::arbitrary<bool>();
    case 3: {
      json::Array items;
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left)
        items.push_back(any_value(depth - 1));
      return items;
    }
    default: {
      json::Object members;
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
        members[*rc::gen::container<std::string>(rc::gen::inRange<char>('a', 'z'))] =
            any_value(depth - 1);
      }
      return members;
    }
  }
}

RC_GTEST_PROP(Reply, is_the_canonical_object_with_the_receipts, ()) {
  json::Value head;
  const std::vector<std::string> names = {"batch", "draw", "receipt", "receiptss", "round",
                                          "shoe",  "",     "a\"b",    "z}{"};
  for (int left = *rc::gen::inRange(0, 6); left > 0; --left)
    head[*rc::gen::elementOf(names)] = any_value(3);
  std::vector<Receipt> receipts;
  json::Array list;
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
    receipts.push_back(
        {.proof = "line\n\xE2\x80\x94 \t\x01" + *rc::gen::arbitrary<std::string>(),
         .record = *rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7F))});
    for (char& c : receipts.back().proof) {
      if (static_cast<unsigned char>(c) > 0x7F && &c - receipts.back().proof.data() > 9) c = '?';
    }
    list.push_back(receipt_json(receipts.back()));
    RC_ASSERT(format_receipt(receipts.back()) == json::canonical(receipt_json(receipts.back())));
  }
  const auto text = reply_text(json::canonical(head), receipts);
  head["receipts"] = std::move(list);
  RC_ASSERT(text.has_value());
  RC_ASSERT(*text == json::canonical(head));
}

TEST(Reply, quotes_any_character_at_any_place_of_a_text_of_any_length) {
  const auto same = [](std::string record) {
    const Receipt receipt{.proof = "p", .record = std::move(record)};
    EXPECT_EQ(format_receipt(receipt), json::canonical(receipt_json(receipt)));
  };
  for (std::size_t length = 1; length <= 20; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (int byte = 0x01; byte < 0x80; ++byte) {
        std::string record(length, '~');
        record[at] = static_cast<char>(byte);
        same(std::move(record));
      }
    }
  }
  for (const std::size_t length :
       {79U, 80U, 81U, 144U, 200U}) {  // blocks, and what is behind the last one
    for (std::size_t at = 0; at < length; ++at) {
      for (const char byte : {'"', '\\', '\x1f', '\x7f'}) {
        std::string record(length, at % 2 == 0 ? '~' : '"');
        record[at] = byte;
        same(std::move(record));
      }
    }
  }
  for (const std::size_t length : {0U, 1U, 7U, 8U, 9U, 63U, 64U, 65U, 1000U}) {
    for (const char fill : {'\x01', '"', '\\', '\n', ' ', '!'}) same(std::string(length, fill));
  }
}

TEST(Reply, a_head_that_is_no_object_or_has_receipts_is_refused) {
  for (const char* head :
       {"", "{", "}", "[]", "7", "{]", "{\"a\"}", "{\"a\":", "{\"a\":1", "{\"a\":\"}", "{a:1}",
        "{\"receipts\":[]}", "{\"a\":1,\"receipts\":[]}", "{\"a\":1}}"}) {
    const auto text = reply_text(head, {});
    ASSERT_FALSE(text.has_value()) << head;
    EXPECT_TRUE(text.error().is(FormatErrc::malformed_receipt)) << head;
  }
}

}  // namespace
}  // namespace talla::certs
