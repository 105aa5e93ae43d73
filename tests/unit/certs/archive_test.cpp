// Goal: an archive is exactly the span of records that its checkpoint proves, says nothing else,
// and gives evidence back as the log gave it; nothing changed, cut, lengthened, exchanged or out of
// order passes (FORMAT.md section 13).
// Method: a log over SQLite with a table, a round and tables' catalogues; every span of every small
// tree at every checkpoint; every byte of a file flipped and every length cut; judged by Botan,
// with the real certificates of a development set.
#include "certs/archive.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "certs/archive_shelf.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/next_log_key.hpp"
#include "fixture.hpp"
#include "format/domain.hpp"
#include "verify/archive.hpp"

namespace talla::certs::testing {
namespace {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<std::uint8_t> out) override {
    const std::size_t count = std::min({out.size(), text_.size(), std::size_t{1000}});
    std::copy_n(text_.begin(), count, out.begin());
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

/// A log under two keys, the second announced in it when a test asks for that.
struct Scene {
  Scene() {
    must(init_development_keys(
        {.folder = folder / "keys", .origin = origin, .server_names = {}, .now_us = start_us}));
    must(make_next_log_key({.statement_path = folder / "keys/log-key.json",
                            .certificate_key_path = folder / "keys/log-certificate.key",
                            .certificate_path = folder / "keys/log-certificate.pem",
                            .log_key = {},
                            .key_path = folder / "next.key",
                            .out_path = folder / "next.json"}));
    roots = must(read_file(folder / "keys/ca.pem"));
    ledger = must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin}));
    signer = must(load_log_signer(folder / "keys/log.key"));
    log = must(Log::open({.hashes = hashes, .ledger = *ledger, .signer = *signer, .clock = clock},
                         {.origin = origin}));
  }
  void add(int count) {
    for (int i = 0; i < count; ++i) {
      clock.advance_ns(1'000'000);
      must(log->append(access_draft("status")));
    }
    must(log->commit());
  }
  /// A table of a catalogue with one round, whose state is in the ledger.
  std::string add_round() {
    const std::string catalogue = "id = \"of the test\"\n";
    TableOpenBody table = testing::keyed_table();
    table.catalogue = catalogue_digest(hashes, catalogue);
    table.place = "Mesa 1";
    table.game = "wheel";
    table.currency = "EUR";
    RecordDraft draft;
    draft.kind = Kind::table_open;
    draft.client = Client{"urn:talla:table-1", {}};
    draft.body = table.to_json();
    const Appended opened = must(log->append(draft));
    log->group().catalogues.push_back({table.catalogue, catalogue});
    const json::Value state = json::Object{{"bets", json::Array{}}, {"phase", "open"}};
    RoundOpenBody round;
    round.table = opened.object;
    round.number = 1;
    round.state_before = state_digest(hashes, state);
    draft = {};
    draft.kind = Kind::round_open;
    draft.client = Client{"urn:talla:table-1", {}};
    draft.cites = {opened.seq};
    draft.body = round.to_json();
    const Appended begun = must(log->append(draft));
    log->group().documents.push_back({documents::state(begun.object), json::canonical(state)});
    must(log->commit());
    return begun.object;
  }
  void rotate() {
    RecordDraft draft;
    draft.kind = Kind::key;
    draft.body =
        json::Object{{"purpose", "log"}, {"log_key", read_log_key(folder / "next.json").to_json()}};
    const auto seq = must(log->append(draft)).seq;
    auto signatures = must(log->prover().signatures(0, log->prover().groups()));
    signatures.push_back(must(log->sign_ahead()));
    log->group().documents.push_back({documents::signatures(0), signatures_text(signatures)});
    log->group().documents.push_back(
        {documents::log_keys(),
         retired_keys_text({{seq, read_log_key(folder / "keys/log-key.json")}})});
    must(log->commit());
    must(log->prover().change_key(must(load_log_signer(folder / "next.key"))));
  }
  struct Span {
    std::uint64_t to;
    std::uint64_t size;
    std::string previous{};
  };
  Result<ArchiveFacts> seal(const std::string& name, const Span& span) {
    return seal_archive({.ledger = *ledger,
                         .origin = origin,
                         .checkpoint = must(log->prover().checkpoint(span.size)),
                         .log_keys = {read_log_key(folder / "keys/log-key.json"),
                                      read_log_key(folder / "next.json")},
                         .to = span.to,
                         .previous = span.previous.empty() ? std::string() : folder / span.previous,
                         .file = folder / name},
                        BotanEd25519());
  }
  Result<ArchiveVerdict> verify(const std::vector<std::string>& names,
                                ArchiveVisitor* visitor = nullptr) {
    ArchiveVerifier verifier(roots, {});
    ArchiveVerdict last;
    for (const std::string& name : names) {
      const auto file = must(FileSource::open(folder / name));
      TALLA_TRY(last, verifier.verify(*file, {.visitor = visitor}));
    }
    return last;
  }
  [[nodiscard]] Status judge(std::string_view bytes) const {
    MemorySource source(bytes);
    TALLA_TRY([[maybe_unused]] const auto verdict, ArchiveVerifier(roots, {}).verify(source));
    return {};
  }

  Folder folder;
  OpensslHashes hashes;
  ManualClock clock;
  std::string roots;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Ed25519Signer> signer;
  std::unique_ptr<Log> log;
};

TEST(Archive, holds_the_records_of_its_span_and_verifies_with_a_root_alone) {
  Scene here;
  here.add(3);
  here.add_round();
  here.add(2);
  const ArchiveFacts made = must(here.seal("a", {.to = 7, .size = 7}));
  EXPECT_EQ(made.header.to, 7U);
  EXPECT_EQ(made.catalogues, 1U);
  EXPECT_EQ(made.bytes, std::filesystem::file_size(here.folder / "a"));
  EXPECT_FALSE(std::filesystem::exists(here.folder / "a.part"));
  const auto judged = must(here.verify({"a"}));
  EXPECT_EQ(judged.verdict.verdict_class, VerdictClass::uncertified);
  EXPECT_TRUE(judged.verdict.development);
  EXPECT_EQ(judged.facts.digest, made.digest);
  EXPECT_EQ(judged.facts.last_us, must(parse_record(must(here.ledger->record(6)).bytes)).time_us);
  EXPECT_TRUE(here.seal("a", {.to = 7, .size = 7}).error().is(Errc::key_exists))
      << "nothing is overwritten";
  must(here.seal("again", {.to = 7, .size = 7}));
  EXPECT_EQ(whole_file(here.folder / "again"), whole_file(here.folder / "a")) << "the same bytes";
}

TEST(Archive, of_every_span_and_checkpoint_of_a_small_log_gives_the_paths_that_the_log_gives) {
  Scene here;
  constexpr std::uint64_t most = 8;
  for (std::uint64_t i = 0; i < most; ++i) here.add(1);
  for (std::uint64_t middle = 1; middle < most; ++middle) {
    for (std::uint64_t size = middle; size <= most; ++size) {
      std::filesystem::remove(here.folder / "a");
      must(here.seal("a", {.to = middle, .size = size}));
      for (std::uint64_t to = middle + 1; to <= most; to += 2) {
        SCOPED_TRACE(std::to_string(middle) + " of " + std::to_string(size) + ", then " +
                     std::to_string(to));
        std::filesystem::remove(here.folder / "b");
        const std::uint64_t head = std::max(to, (size + most) / 2);
        const auto next = here.seal("b", {.to = to, .size = head, .previous = "a"});
        ASSERT_TRUE(next) << next.error().text();
        EXPECT_EQ(next->header.from, middle);
        for (const bool both : {true, false}) {
          ArchiveShelf shelf(here.hashes);
          std::vector<std::string> names{"b"};
          if (both) names.insert(names.begin(), "a");
          ArchiveVerifier verifier(here.roots, {});
          for (const std::string& name : names)
            must(verifier.verify(*must(shelf.add(here.folder / name)), {.visitor = &shelf}));
          for (std::uint64_t seq = both ? 0 : middle; seq < to; ++seq) {
            EXPECT_EQ(must(shelf.record(seq)), must(here.ledger->record(seq)).bytes);
            EXPECT_EQ(must(shelf.inclusion(seq)), must(here.log->prover().inclusion(seq, head)));
          }
          EXPECT_TRUE(shelf.record(to).error().is(Errc::not_found));
          EXPECT_EQ(shelf.record(0).has_value(), both);
        }
      }
    }
  }
}

TEST(Archive, with_any_byte_changed_or_the_file_cut_or_lengthened_is_refused) {
  Scene here;
  here.add(2);
  here.add_round();
  here.rotate();
  here.add(2);
  must(here.seal("first", {.to = 1, .size = 2}));
  must(here.seal("a", {.to = 6, .size = 7, .previous = "first"}));
  const std::string good = whole_file(here.folder / "a");
  EXPECT_TRUE(here.judge(good));
  // The header is one text under one digest: every fifth byte of it; of what stands behind it every
  // byte.
  MemorySource source(good);
  const std::size_t behind = archive_begin(must(ArchiveReader::open(source)).header_text()).size();
  for (std::size_t at = 0; at < good.size(); at += at >= 40 && at + 5 < behind ? 5 : 1) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    EXPECT_FALSE(here.judge(bad)) << at;
    if (at % 3 == 0) {
      EXPECT_FALSE(here.judge(std::string_view(good).substr(0, at))) << at;
    }
  }
  EXPECT_FALSE(here.judge(good + '\0'));
  EXPECT_FALSE(here.judge(good + good));
}

TEST(Archive, with_another_header_under_an_end_that_fits_it_is_refused) {
  Scene here;
  here.add(3);
  here.rotate();
  here.add(2);
  must(here.seal("first", {.to = 1, .size = 3}));
  must(here.seal("a", {.to = 5, .size = 6, .previous = "first"}));
  const std::string good = whole_file(here.folder / "a");
  MemorySource source(good);
  const ArchiveReader reader = must(ArchiveReader::open(source));
  const std::string& header = reader.header_text();
  const std::size_t previous = header.find("\"previous\":\"") + 12;
  const std::size_t behind = archive_begin(header).size();
  const auto with = [&](const std::string& text) {
    std::string file = archive_begin(text) + good.substr(behind, good.size() - behind - 37);
    put_archive_entry(file, ArchiveTag::end, as_text(archive_digest(here.hashes, text)));
    return file;
  };
  ASSERT_EQ(with(header), good);
  EXPECT_TRUE(here.judge(with(header)));
  for (std::size_t at = 0; at < header.size();
       at += 11) {  // every certificate and signature is judged
    if (at >= previous && at < previous + 64) continue;  // of that the archive before tells
    std::string bad = header;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 7)));
    EXPECT_FALSE(here.judge(with(bad))) << at << ": " << bad.substr(at < 20 ? 0 : at - 20, 40);
  }
  std::string other = header;
  other[previous] = other[previous] == '0' ? '1' : '0';
  std::ofstream(here.folder / "other", std::ios::binary) << with(other);
  EXPECT_TRUE(here.verify({"first", "a"}));
  EXPECT_TRUE(here.verify({"first", "other"}).error().is(ArchiveErrc::archive_differs));
}

TEST(Archive, goes_on_from_the_one_before_and_from_no_other) {
  Scene here;
  here.add(4);
  must(here.seal("a", {.to = 3, .size = 4}));
  here.add(4);
  must(here.seal("b", {.to = 6, .size = 8, .previous = "a"}));
  must(here.seal("c", {.to = 8, .size = 8, .previous = "b"}));
  must(here.seal("whole", {.to = 8, .size = 8}));
  must(here.seal("other", {.to = 3, .size = 8}));
  EXPECT_TRUE(here.verify({"a", "b", "c"}));
  EXPECT_TRUE(here.verify({"whole"}));
  const auto alone = must(here.verify({"b"}));
  EXPECT_NE(alone.verdict.not_checked.front().find("3 records before"), std::string::npos);
  for (const auto& wrong : std::vector<std::vector<std::string>>{
           {"a", "c"}, {"b", "a"}, {"a", "a"}, {"a", "whole"}, {"other", "b"}, {"b", "b"}}) {
    const auto judged = here.verify(wrong);
    ASSERT_FALSE(judged) << wrong[0] << ", " << wrong[1];
    EXPECT_TRUE(judged.error().is(ArchiveErrc::archive_differs)) << judged.error().text();
  }
  Scene foreign;
  foreign.clock.advance_ns(5'000);
  foreign.add(9);
  std::filesystem::copy(here.folder / "a", foreign.folder / "a");
  EXPECT_TRUE(foreign.seal("b", {.to = 6, .size = 9, .previous = "a"})
                  .error()
                  .is(ArchiveErrc::archive_differs))
      << "another history of the same name";
  EXPECT_FALSE(foreign.verify({"a"})) << "another root";
}

TEST(Archive, seals_nothing_that_its_checkpoint_does_not_prove) {
  Scene here;
  here.add(4);
  EXPECT_TRUE(here.seal("a", {.to = 5, .size = 4}).error().is(Errc::not_found));
  must(here.seal("a", {.to = 4, .size = 4}));
  EXPECT_TRUE(here.seal("b", {.to = 4, .size = 4, .previous = "a"}).error().is(Errc::not_found))
      << "empty";
  Scene other;
  other.clock.advance_ns(5'000);
  other.add(4);
  const auto seal = [&](const std::string& checkpoint, const std::string& statement) {
    return seal_archive({.ledger = *here.ledger,
                         .origin = origin,
                         .checkpoint = checkpoint,
                         .log_keys = {read_log_key(statement)},
                         .file = here.folder / "x"},
                        BotanEd25519());
  };
  const std::string theirs = must(other.log->prover().checkpoint(4));
  EXPECT_TRUE(
      seal(theirs, here.folder / "keys/log-key.json").error().is(LogKeyErrc::wrong_log_key));
  EXPECT_TRUE(
      seal(theirs, other.folder / "keys/log-key.json").error().is(ArchiveErrc::archive_differs));
  std::string forged = must(here.log->prover().checkpoint(4));
  const std::size_t at = forged.size() - 10;
  forged[at] = forged[at] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(seal(forged, here.folder / "keys/log-key.json"));
  EXPECT_FALSE(std::filesystem::exists(here.folder / "x"));
  EXPECT_FALSE(std::filesystem::exists(here.folder / "x.part"))
      << "a refusal leaves nothing behind";
}

TEST(Archive, follows_the_log_through_a_change_of_its_key) {
  Scene here;
  here.add(5);
  must(here.seal("a", {.to = 4, .size = 5}));
  here.rotate();
  must(here.seal("announced", {.to = 6, .size = 6, .previous = "a"}));
  here.add(3);
  must(here.seal("old", {.to = 5, .size = 5, .previous = "a"}));
  const ArchiveFacts made = must(here.seal("b", {.to = 9, .size = 9, .previous = "a"}));
  EXPECT_EQ(made.header.key_changes.size(), 1U);
  EXPECT_EQ(made.header.log_key, read_log_key(here.folder / "next.json"));
  for (const char* name : {"announced", "old", "b"}) EXPECT_TRUE(here.verify({"a", name})) << name;
  const auto judged = must(here.verify({"a", "b"}));
  EXPECT_NE(judged.verdict.checked[1].find("2 keys"), std::string::npos);
  // A receipt of the old key stays: the same record is in the archive of the new one.
  EXPECT_TRUE(verify_receipt(format_receipt(must(here.log->prover().receipt(4))),
                             must(read_file(here.folder / "keys/log-key.json")), here.roots));
}

TEST(Archive, gives_the_evidence_of_a_round_back_as_the_log_gives_it) {
  Scene here;
  here.add(2);
  const std::string round = here.add_round();
  here.add(2);
  must(here.seal("a", {.to = 3, .size = 6}));
  must(here.seal("b", {.to = 6, .size = 6, .previous = "a"}));
  ArchiveShelf shelf(here.hashes);
  ArchiveVerifier verifier(here.roots, {});
  for (const char* name : {"a", "b"})
    must(verifier.verify(*must(shelf.add(here.folder / name)), {.visitor = &shelf}));
  EXPECT_EQ(shelf.object(round), std::vector<std::uint64_t>{3});
  EXPECT_EQ(must(shelf.claim_of(round)), 3U);
  EXPECT_TRUE(shelf.claim_of("round-0").error().is(Errc::not_found));
  EXPECT_EQ(
      format_bundle(must(shelf.bundle(3))),
      format_bundle(must(make_bundle(
          *here.log, {.claim = 3, .log_key = read_log_key(here.folder / "keys/log-key.json")}))));
  ArchiveShelf late(here.hashes);
  must(ArchiveVerifier(here.roots, {})
           .verify(*must(late.add(here.folder / "b")), {.visitor = &late}));
  EXPECT_TRUE(late.bundle(3).error().is(Errc::not_found))
      << "its table was opened in the archive before";
}

}  // namespace
}  // namespace talla::certs::testing
