// Reads a sealed archive once, from front to end, and checks its records, tree and digests.
#include <algorithm>
#include <set>

#include "format/archive.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "record_end.hpp"

namespace talla::certs {
namespace {

constexpr std::uint64_t progress_step = 10'000;

tl::unexpected<Error> differs(std::string why) {
  return fail(ArchiveErrc::archive_differs, std::move(why));
}

/// One pass over an archive.
class Check {
 public:
  Check(const HashSuite& hashes, ArchiveReader& reader, const ArchiveCheck& options)
      : hashes_(hashes), reader_(reader), options_(options) {}

  [[nodiscard]] Result<ArchiveFacts> run() {
    facts_.header = reader_.header();
    const ArchiveHeader& header = facts_.header;
    facts_.digest = archive_digest(hashes_, reader_.header_text());
    TALLA_TRY(facts_.checkpoint, parse_cosigned_checkpoint(header.checkpoint));
    TALLA_TRY(tree_, CompactRange::from_nodes(header.from, header.left));
    facts_.root_before = tree_.root(hashes_);
    if (options_.visitor != nullptr) options_.visitor->begin(header);
    for (std::uint64_t seq = header.from; seq < header.to; ++seq) {
      TALLA_TRY_STATUS(take_record(seq));
      const std::uint64_t done = seq + 1 - header.from;
      if (options_.progress && (done % progress_step == 0 || seq + 1 == header.to))
        options_.progress(done, header.to - header.from);
    }
    TALLA_TRY_STATUS(take_catalogues());
    TALLA_TRY_STATUS(take_end());
    TALLA_TRY_STATUS(check_tree());
    facts_.bytes = reader_.position();
    return std::move(facts_);
  }

 private:
  [[nodiscard]] Result<ArchiveReader::Entry> expect(ArchiveTag tag, const std::string& what) {
    TALLA_TRY(const ArchiveReader::Entry entry, reader_.next());
    if (entry.tag != tag)
      return fail(ArchiveErrc::malformed_archive, what + " is expected and not there");
    return entry;
  }

  [[nodiscard]] Status take_record(std::uint64_t seq) {
    const std::string name = "record " + std::to_string(seq);
    TALLA_TRY(const ArchiveReader::Entry entry, expect(ArchiveTag::record, name));
    const bool edge =
        seq == facts_.header.from || seq + 1 == facts_.header.to;  // their boots are compared
    if (!options_.contents && !edge) {
      const auto end = read_record_end(entry.content);
      if (!end) return differs(name + ": does not end as a record does");
      if (!is_read_always(end->kind)) return take_unread(name, seq, *end, entry);
    }
    auto record = parse_record(entry.content);
    if (!record) return differs(name + ": " + record.error().text());
    if (record->origin != facts_.header.origin)
      return differs(name + ": is not that record of this log");
    TALLA_TRY_STATUS(note_place(name, seq, record->seq, record->time_us));
    if (seq == facts_.header.from) facts_.first_boot = record->boot;
    if (record->boot < facts_.last_boot) return differs(name + ": time or boot go back");
    facts_.last_boot = record->boot;
    const Digest leaf = leaf_hash(hashes_, as_bytes(entry.content));
    append(leaf);
    if (options_.visitor != nullptr && options_.contents) options_.visitor->record(*record, entry);
    if (options_.judge) TALLA_TRY_STATUS(options_.judge(*record, leaf));
    note_context(*record);
    TALLA_TRY_STATUS(note_catalogue(*record));
    return record->kind == Kind::round_open ? take_state(*record) : Status();
  }

  [[nodiscard]] Status take_unread(const std::string& name, std::uint64_t seq, const RecordEnd& end,
                                   const ArchiveReader::Entry& entry) {
    TALLA_TRY_STATUS(note_place(name, seq, end.seq, end.time_us));
    append(leaf_hash(hashes_, as_bytes(entry.content)));
    ++facts_.unread;
    return {};
  }

  [[nodiscard]] Status note_place(const std::string& name, std::uint64_t seq, std::uint64_t named,
                                  std::int64_t time_us) {
    if (named != seq) return differs(name + ": is not that record of this log");
    if (seq == facts_.header.from) {
      facts_.first_us = time_us;
    } else if (time_us < facts_.last_us) {
      return differs(name + ": time or boot go back");
    }
    facts_.last_us = time_us;
    return {};
  }

  void append(const Digest& leaf) {
    if (options_.visitor == nullptr) return tree_.append(hashes_, leaf);
    tree_.append(hashes_, leaf, [this](unsigned level, std::uint64_t index, const Digest& hash) {
      options_.visitor->node(level, index, hash);
    });
  }

  /// A body of a known kind has been checked by `parse_record`.
  void note_context(const Record& record) {
    if (record.kind == Kind::unknown) {
      ++facts_.unknown_kinds;
      return;
    }
    const json::Value* context = record.body.find("context");
    if (context == nullptr) return;
    const json::Value* sources = context->find("sources");
    if (sources == nullptr || !sources->is_array()) return;
    for (const json::Value& source : sources->array()) {
      const json::Value* source_class = source.find("class");
      facts_.lab = facts_.lab || (source_class != nullptr && *source_class == json::Value("lab"));
    }
  }

  [[nodiscard]] Status note_catalogue(const Record& record) {
    if (record.kind != Kind::table_open && record.kind != Kind::meter_open) return {};
    const json::Value* named = record.body.find("catalogue");
    if (named == nullptr || !named->is_string()) return {};
    TALLA_TRY(const Digest digest, digest_from_hex(named->string()));
    if (digest != Digest{}) catalogues_.insert(digest);
    return {};
  }

  [[nodiscard]] Status take_state(const Record& opening) {
    TALLA_TRY(const ArchiveReader::Entry entry,
              expect(ArchiveTag::state, "the state of " + opening.object));
    const Digest digest = hashes_.sha256({as_bytes(domain::state), as_bytes(entry.content)});
    const json::Value* wanted = opening.body.find("state_before");
    if (wanted == nullptr || *wanted != json::Value(to_hex(digest)))
      return differs("the state of " + opening.object + " is not that of its ROUND_OPEN");
    if (options_.visitor != nullptr) options_.visitor->state(opening, entry);
    return {};
  }

  [[nodiscard]] Status take_catalogues() {
    for (const Digest& digest : catalogues_) {
      TALLA_TRY(const ArchiveReader::Entry entry,
                expect(ArchiveTag::catalogue, "the catalogue " + to_hex(digest)));
      if (hashes_.sha256({as_bytes(entry.content)}) != digest)
        return differs("the catalogue " + to_hex(digest) + " is another file");
      if (options_.visitor != nullptr) options_.visitor->catalogue(digest, entry);
    }
    facts_.catalogues = catalogues_.size();
    return {};
  }

  [[nodiscard]] Status take_end() {
    TALLA_TRY(const ArchiveReader::Entry entry, expect(ArchiveTag::end, "the end"));
    if (entry.content != as_text(facts_.digest))
      return differs("the header is not that of the end");
    return reader_.finish();
  }

  [[nodiscard]] Status check_tree() {
    facts_.root = tree_.root(hashes_);
    const Checkpoint& head = facts_.checkpoint.checkpoint;
    const Status same =
        verify_consistency(hashes_, {.size = facts_.header.to, .root = facts_.root},
                           {.size = head.size, .root = head.root}, facts_.header.consistency);
    return same ? Status()
                : Status(differs("the records are not those of the checkpoint: " +
                                 same.error().detail));
  }

  const HashSuite& hashes_;
  ArchiveReader& reader_;
  const ArchiveCheck& options_;
  ArchiveFacts facts_;
  CompactRange tree_;
  std::set<Digest> catalogues_;
};

}  // namespace

Result<ArchiveFacts> check_archive(const HashSuite& hashes, ByteSource& source,
                                   const ArchiveCheck& options) {
  TALLA_TRY(ArchiveReader reader, ArchiveReader::open(source));
  return Check(hashes, reader, options).run();
}

bool is_read_always(Kind kind) {
  switch (kind) {
    case Kind::bets_closed:
    case Kind::action:
    case Kind::hand_confirmed:
    case Kind::settlement:
    case Kind::round_end:
    case Kind::card_deal:
    case Kind::card_open:
    case Kind::call:
    case Kind::draw:
      return false;
    default:
      return true;
  }
}

Status check_archive_follows(const ArchiveFacts& before, const ArchiveFacts& next) {
  if (next.header.origin != before.header.origin)
    return differs("the archive is of another log than the one before");
  if (next.header.from != before.header.to)
    return differs("the archive begins with record " + std::to_string(next.header.from) +
                   ", the one before ends at " + std::to_string(before.header.to));
  if (next.header.previous != before.digest)
    return differs("the archive names another one as the one before");
  if (next.root_before != before.root)
    return differs("the archive's log is another history than that of the one before");
  if (next.first_us < before.last_us || next.first_boot < before.last_boot)
    return differs("time or boot go back from the archive before");
  return {};
}

}  // namespace talla::certs
