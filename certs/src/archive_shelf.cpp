#include "certs/archive_shelf.hpp"

#include <fmt/format.h>

#include <bit>

#include "format/merkle.hpp"
#include "format/parts.hpp"

namespace talla::certs {
namespace {

/// The largest power of two below the size; precondition: size > 1.
std::uint64_t split_point(std::uint64_t size) {
  return std::bit_floor(size - 1);
}

}  // namespace

Result<FileSource*> ArchiveShelf::add(const std::string& path) {
  TALLA_TRY(auto file, FileSource::open(path));
  files_.push_back(std::move(file));
  return files_.back().get();
}

void ArchiveShelf::begin(const ArchiveHeader& header) {
  header_ = header;
  const auto note = parse_cosigned_checkpoint(header.checkpoint);
  size_ = note ? note->checkpoint.size : 0;
  behind_ = read_behind();
  if (files_.size() > 1) return;
  first_ = header.from;
  std::uint64_t at = 0;
  for (const Digest& subtree : header.left) {
    const std::uint64_t part = std::bit_floor(header.from - at);
    before_[{at, at + part}] = subtree;
    at += part;
  }
}

void ArchiveShelf::record(const Record& record, const ArchiveReader::Entry& entry) {
  records_.push_back(place_of(entry));
  if (record.object.empty()) return;
  objects_[record.object].push_back(record.seq);
  if (kind_claims(record.kind) && ends_content(record.body)) claims_[record.object] = record.seq;
}

void ArchiveShelf::state(const Record& opening, const ArchiveReader::Entry& entry) {
  states_[opening.object] = place_of(entry);
}

void ArchiveShelf::catalogue(const Digest& digest, const ArchiveReader::Entry& entry) {
  catalogues_[digest] = place_of(entry);
}

void ArchiveShelf::node(unsigned level, std::uint64_t index, const Digest& hash) {
  if (level >= levels_.size()) levels_.resize(level + 1);
  Level& row = levels_[level];
  if (row.nodes.empty()) row.first = index;
  row.nodes.push_back(hash);
}

ArchiveShelf::Place ArchiveShelf::place_of(const ArchiveReader::Entry& entry) const {
  return {.file = static_cast<std::uint32_t>(files_.size() - 1),
          .size = static_cast<std::uint32_t>(entry.content.size()),
          .offset = entry.offset};
}

Result<std::string> ArchiveShelf::text_at(const Place& place) const {
  return files_[place.file]->read_at(place.offset, place.size);
}

Result<std::string> ArchiveShelf::record(std::uint64_t seq) const {
  if (seq < first_ || seq - first_ >= records_.size())
    return fail(Errc::not_found, fmt::format("record {}: these archives hold {} to {}", seq, first_,
                                             first_ + records_.size() - 1));
  return text_at(records_[seq - first_]);
}

Result<std::optional<std::string>> ArchiveShelf::catalogue(const Digest& digest) const {
  const auto found = catalogues_.find(digest);
  if (found == catalogues_.end()) return std::optional<std::string>();
  TALLA_TRY(std::string text, text_at(found->second));
  return std::optional(std::move(text));
}

std::map<ArchiveShelf::Range, Digest> ArchiveShelf::read_behind() const {
  std::map<Range, Digest> out;
  Range range{0, size_};
  auto next = header_.consistency.rbegin();  // from the root downwards
  while (range.end != header_.to && next != header_.consistency.rend()) {
    const std::uint64_t middle = range.begin + split_point(range.end - range.begin);
    const bool left = header_.to <= middle;
    if (left) out[{middle, range.end}] = *next;
    range = left ? Range{range.begin, middle} : Range{middle, range.end};
    ++next;
  }
  return out;
}

Result<Digest> ArchiveShelf::hash_of(const Range& range) const {
  for (const auto* given : {&before_, &behind_}) {
    if (const auto found = given->find(range); found != given->end()) return found->second;
  }
  const std::uint64_t size = range.end - range.begin;
  if (std::has_single_bit(size)) {
    const auto level = static_cast<std::size_t>(std::countr_zero(size));
    const std::uint64_t index = range.begin >> level;
    if (level < levels_.size() && index >= levels_[level].first &&
        index - levels_[level].first < levels_[level].nodes.size())
      return levels_[level].nodes[index - levels_[level].first];
  }
  if (size == 1) return fail(Errc::not_found, "a leaf outside these archives");
  const std::uint64_t middle = range.begin + split_point(size);
  TALLA_TRY(const Digest left, hash_of({range.begin, middle}));
  TALLA_TRY(const Digest right, hash_of({middle, range.end}));
  return node_hash(hashes_, left, right);
}

Result<std::vector<Digest>> ArchiveShelf::inclusion(std::uint64_t seq) const {
  TALLA_TRY([[maybe_unused]] const std::string there, record(seq));
  std::vector<Digest> path;
  for (Range range{0, size_}; range.end - range.begin > 1;) {
    const std::uint64_t middle = range.begin + split_point(range.end - range.begin);
    const bool left = seq < middle;
    TALLA_TRY(const Digest sibling,
              hash_of(left ? Range{middle, range.end} : Range{range.begin, middle}));
    path.push_back(sibling);
    range = left ? Range{range.begin, middle} : Range{middle, range.end};
  }
  return std::vector<Digest>(path.rbegin(), path.rend());
}

std::vector<std::uint64_t> ArchiveShelf::object(const std::string& id) const {
  const auto found = objects_.find(id);
  return found == objects_.end() ? std::vector<std::uint64_t>() : found->second;
}

Result<std::uint64_t> ArchiveShelf::claim_of(const std::string& id) const {
  const auto found = claims_.find(id);
  if (found == claims_.end())
    return fail(Errc::not_found, id + ": nothing that a bundle could prove is in these archives");
  return found->second;
}

Result<Bundle> ArchiveShelf::bundle(std::uint64_t claim) const {
  TALLA_TRY(Bundle bundle, collect_evidence(*this, claim));
  bundle.checkpoint = header_.checkpoint;
  bundle.log_key = header_.log_key;
  bundle.key_changes = header_.key_changes;
  TALLA_TRY(const std::string bytes, record(claim));
  TALLA_TRY(const Record claimed, parse_record(bytes));
  if (claimed.kind != Kind::settlement) return bundle;
  const auto state = states_.find(claimed.object);
  if (state == states_.end()) return fail(Errc::not_found, "the state of " + claimed.object);
  TALLA_TRY(const std::string text, text_at(state->second));
  TALLA_TRY(bundle.state_before, json::parse_canonical(text));
  return bundle;
}

}  // namespace talla::certs
