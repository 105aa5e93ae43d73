/// \file
/// Archives in a row, as a place where evidence is found again: single records, objects, bundles
/// (FORMAT.md sections 9 and 13).
///
/// A shelf is filled while the archives are checked, one behind the other: it is the visitor of
/// each check. What it gives counts only when every check has ended well. All paths lead to the
/// checkpoint of the last archive.
/// Memory:  64 bytes of tree and some 24 of index a record. Errors: not_found (in none of these
///          archives), ledger_io.
/// Threads: one.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "certs/archive.hpp"
#include "certs/bundle_maker.hpp"
#include "format/archive.hpp"

namespace talla::certs {

class ArchiveShelf final : public ArchiveVisitor, public EvidenceSource {
 public:
  explicit ArchiveShelf(const HashSuite& hashes) : hashes_(hashes) {}

  /// The next file, in the order of the log; its check is to follow, with this shelf as visitor.
  [[nodiscard]] Result<FileSource*> add(const std::string& path);

  // What the checks say.
  void begin(const ArchiveHeader& header) override;
  void record(const Record& record, const ArchiveReader::Entry& entry) override;
  void state(const Record& opening, const ArchiveReader::Entry& entry) override;
  void catalogue(const Digest& digest, const ArchiveReader::Entry& entry) override;
  void node(unsigned level, std::uint64_t index, const Digest& hash) override;

  [[nodiscard]] Result<std::string> record(std::uint64_t seq) const override;
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest) const override;
  [[nodiscard]] Result<std::vector<Digest>> inclusion(std::uint64_t seq) const override;

  /// Records of an object, ascending; those in these archives.
  [[nodiscard]] std::vector<std::uint64_t> object(const std::string& id) const;
  /// The newest record of an object that a bundle can claim. Errors: not_found.
  [[nodiscard]] Result<std::uint64_t> claim_of(const std::string& id) const;
  /// The evidence of one claim, proven at the last archive's checkpoint.
  [[nodiscard]] Result<Bundle> bundle(std::uint64_t claim) const;

 private:
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t size = 0;
    std::uint64_t offset = 0;
  };
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    auto operator<=>(const Range&) const = default;
  };
  struct Level {
    std::uint64_t first = 0;  ///< index of the first node that is known
    std::vector<Digest> nodes;
  };
  [[nodiscard]] Place place_of(const ArchiveReader::Entry& entry) const;
  [[nodiscard]] Result<std::string> text_at(const Place& place) const;
  [[nodiscard]] Result<Digest> hash_of(const Range& range) const;
  /// What lies behind the last record, as the consistency proof names it.
  [[nodiscard]] std::map<Range, Digest> read_behind() const;

  const HashSuite& hashes_;
  std::vector<std::unique_ptr<FileSource>> files_;
  ArchiveHeader header_;  // of the last archive
  std::uint64_t size_ = 0;
  std::uint64_t first_ = 0;  // seq of the first record
  std::vector<Place> records_;
  std::map<std::string, std::vector<std::uint64_t>> objects_;
  std::map<std::string, std::uint64_t> claims_;
  std::map<std::string, Place> states_;
  std::map<Digest, Place> catalogues_;
  std::map<Range, Digest> before_;  // subtrees left of the first record
  std::map<Range, Digest> behind_;  // and right of the last one
  std::vector<Level> levels_;
};

}  // namespace talla::certs
