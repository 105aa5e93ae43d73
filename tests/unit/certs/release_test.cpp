// Goal: the order of a shoe reaches one machine and tells nobody else anything; what a machine says
//   it saw is judged place by place (FORMAT.md section 7, "Release to a machine").
// Method: encrypted with OpenSSL, decrypted with Botan; the page's vectors, made by another
//   implementation; every part of the context, key and bytes changed one at a time.
#include "verify/release.hpp"

#include <gtest/gtest.h>

#include "certs/openssl_hashes.hpp"
#include "certs/shoe.hpp"
#include "fixture.hpp"
#include "format/openings.hpp"
#include "seat_pair.hpp"
#include "taken.hpp"

namespace talla::certs {
namespace {

using testing::must;
using testing::taken;

using testing::openssl_hashes;
const std::string machine_pem =
    "-----BEGIN PRIVATE "
    "KEY-----\nMEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAHBwcHBwcHBwcHBwcH\n"
    "BwcHBwcHBwcHBwcHBwcHBwcHBw==\n-----END PRIVATE KEY-----\n";

Digest filled(std::uint8_t byte) {
  Digest out;
  out.fill(byte);
  return out;
}

/// FORMAT.md section 11: the machine's private key is 07*32, the ephemeral one 08*32.
ReleaseContext page(ReleaseForm form) {
  return {.origin = "casino.example/talla-1",
          .shoe = "shoe-17",
          .recommits = 0,
          .root = filled(3),
          .machine = "urn:talla:shuffler-1",
          .key = must(
              digest_from_hex("ce97ec20d43661a19b215cb2e376a698d0b4aa2aa5b4c7854e916bd05082fcee")),
          .form = form};
}
const std::string point =
    "043adab15d66256bf15cd716035b3f041444e512fed1dd64d4ba75597d20e366f1546d2c90a83ebaba01595099e5f3"
    "ffbbd3384c"
    "7494de6759"
    "fdd5e65efae9cc67";
const std::string whole_order = point +
                                "def28a3f559ad22c10e9315e1bbb905f6a026c806eef97691ae824443e4b31b03e"
                                "dbec0f3030ceec3a851883737068944eef5b";
const std::string whole_targets =
    point +
    "e1f50abd7b792af79aaa8a8d2b7d9604de3d374bcb687d43eaad4b154128fb2b3c257ce68e3d9a36de9fee7198b84c"
    "063f70f3e0"
    "ce858006b757"
    "f1b7e578f52cb801713dc9ec4d1da89476dfebf16d356f334d32bface06730874e6f8c7e9d0817c743";
const std::string page_report_key =
    "0ba243a9cd6e52ceef2ab441fecbf26681f47ae92c0a81dad3565609a7e3231b";

TEST(Release, of_the_page_opens_as_it_says) {
  const auto order = must(from_hex(whole_order));
  EXPECT_EQ(to_hex(openssl_hashes.sha256({order})),
            "c26b86aa709b5c19fe0c55ccbf03d9a2a3e46e0709eeeec8102068c3d0134f3d");
  const auto head = must(open_release_head(machine_pem, page(ReleaseForm::order), order));
  EXPECT_EQ(to_hex(head.report_key), page_report_key);
  EXPECT_EQ(head.report_key, report_key(openssl_hashes, filled(1), "shoe-17"));
  EXPECT_EQ(head.cards, (SecretBytes{51, 32, 48}));
  const auto targets = must(from_hex(whole_targets));
  EXPECT_EQ(to_hex(openssl_hashes.sha256({targets})),
            "4ec6940b9d6f996ab63417000b2ec28f5190f76dcdb5b68fef7d5e0c0e5bc8e4");
  const auto first = release_head(ReleaseForm::targets, targets);
  EXPECT_EQ(must(open_release_head(machine_pem, page(ReleaseForm::targets), first)).report_key,
            head.report_key);
  const SecretBytes cards{51, 32, 48};
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(must(open_release_target(machine_pem, page(ReleaseForm::targets), first, i,
                                       release_target(targets, i))),
              cards[i]);
  const SeenCodes codes(openssl_hashes, head.report_key, "shoe-17");
  EXPECT_EQ(to_hex(codes.of(5, 51)), "573b300e3e36f41f4fcee784643538fb");
  EXPECT_EQ(to_hex(seen_digest(openssl_hashes,
                               std::vector<std::optional<SeenCode>>{codes.of(5, 51), {}})),
            "ed01f71330777122179828276ac7227131c787c2396d52a3ea99769e4d36f263");
}

TEST(Release, opens_for_nothing_else) {
  const auto order = must(from_hex(whole_order));
  const auto opens = [&](const ReleaseContext& context, ByteView bytes,
                         const std::string& pem = machine_pem) {
    return open_release_head(pem, context, bytes).has_value();
  };
  ASSERT_TRUE(opens(page(ReleaseForm::order), order));
  auto context = page(ReleaseForm::order);
  const std::vector<std::function<void(ReleaseContext&)>> changes{
      [](auto& c) { c.origin = "casino.example/talla-2"; },
      [](auto& c) { c.shoe = "shoe-18"; },
      [](auto& c) { c.recommits = 1; },
      [](auto& c) { c.root[0] ^= 1; },
      [](auto& c) { c.machine = "urn:talla:shuffler-2"; },
      [](auto& c) { c.key[0] ^= 1; },
      [](auto& c) { c.form = ReleaseForm::targets; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto other = context;
    changes[i](other);
    EXPECT_FALSE(opens(other, order)) << i;
  }
  for (std::size_t at = 0; at < order.size(); at += 5) {
    auto bytes = order;
    bytes[at] ^= 1;
    EXPECT_FALSE(opens(context, bytes)) << at;
  }
  for (const std::size_t size : {0U, 1U, 65U, 80U, 100U})
    EXPECT_FALSE(opens(context, ByteView(order).first(size)));
  EXPECT_FALSE(opens(context, order, testing::seat_pair().pem));
  const auto targets = must(from_hex(whole_targets));
  EXPECT_FALSE(open_release_target(machine_pem, page(ReleaseForm::targets), targets, 0,
                                   release_target(targets, 1)));
}

FullEntropyBits counted() {
  return [n = std::uint32_t{0}](std::size_t size) mutable -> Result<SecretBytes> {
    SecretBytes out;
    while (out.size() < size) {
      const auto block = openssl_hashes.sha256({ByteWriter().u32(n++).take()});
      out.insert(out.end(), block.begin(), block.end());
    }
    out.resize(size);
    return out;
  };
}

/// Behind a SHOE_MIX: the leaves from the seventh on, then the first ones.
ShoeProgress in_mixed_order() {
  Mix mix;
  for (std::uint16_t position = 0; position < 80; ++position)
    mix.push_back(static_cast<std::uint16_t>((position + 7) % 80));
  ShoeProgress progress;
  progress.take(std::move(mix));
  return progress;
}

struct Sealed {
  SealedShoe shoe = must(SealedShoe::make(
      openssl_hashes, "shoe-17", must(shuffle::DeckSpec::parse("spanish40x2")), counted()));
  testing::SeatPair pair = testing::seat_pair();
  ShoeProgress progress = in_mixed_order();
  ReleaseRequest request{.origin = "o", .machine = "m", .spki = pair.spki};

  [[nodiscard]] SecretBytes order() {
    const auto made = must(ShoeForMachine(shoe).release(progress, request));
    const auto head = must(open_release_head(pair.pem,
                                             {.origin = "o",
                                              .shoe = "shoe-17",
                                              .recommits = request.recommits,
                                              .root = shoe.root(),
                                              .machine = "m",
                                              .key = pair.digest},
                                             made.ciphertext));
    return head.cards;
  }
};

TEST(Release, is_the_order_of_dealing) {
  Sealed sealed;
  const auto order = sealed.order();
  ASSERT_EQ(order.size(), 80U);
  for (std::uint32_t position = 0; position < 80; ++position) {
    const auto body = taken(
        sealed.progress, sealed.shoe.deal(sealed.progress, {.position = position, .place = "p"}));
    EXPECT_EQ(body.opening->card, must(shuffle::Card::from_code(order[position])).text());
  }
  EXPECT_TRUE(ShoeForMachine(sealed.shoe)
                  .release(sealed.progress, sealed.request)
                  .error()
                  .is(Errc::wrong_position))
      << "in play";
  Sealed unmixed;
  unmixed.progress.mix.reset();
  EXPECT_TRUE(ShoeForMachine(unmixed.shoe)
                  .release(unmixed.progress, unmixed.request)
                  .error()
                  .is(Errc::wrong_position));
  Sealed again;
  again.request.recommits = 3;
  EXPECT_EQ(again.order(), order) << "the number of shuffles is bound, the order is the root's";
  again.request.form = ReleaseForm::shelf;
  again.request.shelf.compartments = 10;
  EXPECT_TRUE(ShoeForMachine(again.shoe)
                  .release(again.progress, again.request)
                  .error()
                  .is(Errc::count_refused));
  again.request.recommits = 0;
  EXPECT_TRUE(ShoeForMachine(again.shoe).release(again.progress, again.request));
  again.request.shelf.compartments = 1;
  EXPECT_TRUE(ShoeForMachine(again.shoe)
                  .release(again.progress, again.request)
                  .error()
                  .is(Errc::count_refused));
  const auto p384 = testing::seat_pair("P-384");
  again.request = {.origin = "o", .machine = "m", .spki = p384.spki};
  EXPECT_TRUE(ShoeForMachine(again.shoe)
                  .release(again.progress, again.request)
                  .error()
                  .is(Errc::key_malformed));
}

TEST(Report, is_judged_place_by_place_and_by_its_census) {
  Sealed sealed;
  const auto order = sealed.order();
  const auto made = must(ShoeForMachine(sealed.shoe).release(sealed.progress, sealed.request));
  const auto key = must(open_release_head(sealed.pair.pem,
                                          {.origin = "o",
                                           .shoe = "shoe-17",
                                           .recommits = 0,
                                           .root = sealed.shoe.root(),
                                           .machine = "m",
                                           .key = sealed.pair.digest},
                                          made.ciphertext))
                       .report_key;
  const SeenCodes codes(openssl_hashes, key, "shoe-17");
  std::vector<std::optional<SeenCode>> right;
  for (std::uint32_t i = 0; i < 80; ++i) right.emplace_back(codes.of(i, order[i]));
  auto good = ShoeForMachine(sealed.shoe).judge(sealed.progress, right);
  EXPECT_EQ(good.result, ShuffleResult::match);
  EXPECT_EQ(good.recognised, 80U);
  EXPECT_EQ(good.complete, true);
  EXPECT_EQ(good.seen, seen_digest(openssl_hashes, right));
  EXPECT_FALSE(ShuffleReportBody::from_json(good.to_json())) << "nobody has signed it";
  good.key = {1};
  EXPECT_TRUE(ShuffleReportBody::from_json(good.to_json()));
  for (std::uint32_t place = 0; place < 80; ++place) {
    EXPECT_TRUE(ShoeForMachine(sealed.shoe)
                    .right_card(sealed.progress, place, codes.of(place, order[place])));
    EXPECT_FALSE(ShoeForMachine(sealed.shoe)
                     .right_card(sealed.progress, place, codes.of((place + 1) % 80, order[place])));
    auto seen = right;
    seen[place] = codes.of(place, order[place] == 64 ? 65 : 64);
    const auto wrong = ShoeForMachine(sealed.shoe).judge(sealed.progress, seen);
    EXPECT_EQ(wrong.result, ShuffleResult::mismatch);
    EXPECT_EQ(wrong.position, place);
    EXPECT_EQ(wrong.complete, false);
    EXPECT_EQ(wrong.recognised, 80U);
    seen[place] = codes.of((place + 1) % 80, order[place]);
    EXPECT_EQ(ShoeForMachine(sealed.shoe).judge(sealed.progress, seen).recognised, 79U)
        << "the code of another place says nothing";
  }
  auto none = ShoeForMachine(sealed.shoe).judge(sealed.progress, {});
  EXPECT_EQ(none.result, ShuffleResult::mismatch);
  EXPECT_EQ(none.position, 0U);
  none.key = {1};
  EXPECT_TRUE(ShuffleReportBody::from_json(none.to_json()));
}

TEST(Openings, hold_the_secrets_of_every_root_as_they_were_sealed) {
  Sealed sealed;
  const auto all = sealed.shoe.secrets({});
  const auto roots = must(Openings::roots_of(all));
  ASSERT_EQ(roots.size(), 1U);
  const Openings file{"casino.example/talla-1", "shoe-17", 99, {roots[0], roots[0]}};
  const auto again = must(Openings::parse(file.text()));
  EXPECT_EQ(again.text(), file.text());
  EXPECT_EQ(again.roots[1].tape, roots[0].tape);
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{67}, all.size() - 1})
    EXPECT_FALSE(Openings::roots_of(std::span(all).first(size))) << size;
  for (const auto* lie :
       {R"("v":2)", R"("close":99)", R"("shoe":"shoe-17")", R"("type":"talla-openings")"}) {
    auto text = file.text();
    text.replace(text.find(lie), std::string(lie).size(),
                 std::string(lie).substr(0, std::string(lie).find(':')) + ":0");
    EXPECT_FALSE(Openings::parse(text)) << text;
  }
}

}  // namespace
}  // namespace talla::certs
