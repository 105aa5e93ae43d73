// What stands around a simulated appliance, and fails.
#include "around.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "certs/files.hpp"
#include "failure.hpp"
#include "format/checkpoint.hpp"
#include "format/merkle.hpp"
#include "format/tiles.hpp"

namespace talla::sim {
namespace {

constexpr std::size_t states_kept = 8;
constexpr std::int64_t anchor_within_us = 30'000'000;
constexpr int turns_within = 4;          // with that time over
constexpr std::size_t torn_ahead = 600;  // records behind the checkpoint whose tiles may be torn

Digest other_than(Digest root) {
  root.front() ^= 1U;
  return root;
}

/// Root of the full subtree over these leaves.
Digest fold(const HashSuite& hashes, std::vector<Digest> row) {
  while (row.size() > 1) {
    std::vector<Digest> above;
    for (std::size_t i = 0; i + 1 < row.size(); i += 2)
      above.push_back(certs::node_hash(hashes, row[i], row[i + 1]));
    row = std::move(above);
  }
  return row.front();
}

}  // namespace

Result<std::optional<certs::AnchorState>> SimAnchor::read() {
  if (away) return fail(certs::Errc::anchor_unreachable, "the anchor is away");
  if (shown) return shown;
  return states.empty() ? std::nullopt : std::optional(states.back());
}

Status SimAnchor::write(const certs::AnchorState& state) {
  if (away || read_only) {
    ++failed;
    return fail(certs::Errc::anchor_unreachable, "the anchor is away");
  }
  states.push_back(state);
  if (states.size() > states_kept) states.pop_front();
  return {};
}

void AroundCounts::add(const AroundCounts& other) {
  anchors_away += other.anchors_away;
  anchors_lying += other.anchors_lying;
  copies_refused += other.copies_refused;
  anchors_forgetful += other.anchors_forgetful;
  anchor_writes_failed += other.anchor_writes_failed;
  tiles_blocked += other.tiles_blocked;
  tiles_torn += other.tiles_torn;
  tiles_read += other.tiles_read;
  witness_away += other.witness_away;
  histories_refused += other.histories_refused;
  witness_refused += other.witness_refused;
}

AroundCounts Around::counts() const {
  AroundCounts all = counts_;
  all.anchor_writes_failed = anchor_->failed;
  if (witness_) all.witness_away = witness_->failures();
  return all;
}

void Around::call_witness(core::test::Rig& rig) {
  witness_ = std::make_unique<SimWitness>(rig.folder() + "/witness", core::test::Rig::keys());
  rig.outer = witness_.get();
}

void Around::plan_witness() {
  auto& away = witness_->away;
  if (away ? random_->once_in(30) : random_->once_in(150)) away = !away;
  if (random_->once_in(100)) witness_->restart();
  if (random_->once_in(60) && witness_->offer_second_history()) ++counts_.histories_refused;
}

void Around::plan(core::test::Rig& rig) {
  if (witness_) plan_witness();
  if (anchor_->away ? random_->once_in(30) : random_->once_in(200)) anchor_->away = !anchor_->away;
  watch_anchor(rig);
  if (random_->once_in(150) && !Disk::instance().dead() && !rig.service().failed())
    copy_ = Copy{rig.log().size(), Disk::instance().files(), anchor_->states.back()};
  if (rig.tiles.empty()) return;
  if (!blocked_.empty()) {
    if (random_->once_in(10)) free_tiles();
  } else if (random_->once_in(60)) {
    block_tiles(rig.tiles);
  }
}

void Around::watch_anchor(core::test::Rig& rig) {
  const bool away = anchor_->away || (witness_ && witness_->away);
  if (away || Disk::instance().dead() || rig.service().failed()) return seen_.reset();
  const auto now_us = rig.clock.monotonic_ns() / 1000;
  if (!seen_) seen_ = Seen{now_us, rig.log().size(), turns_within};
  if (now_us - seen_->since_us < anchor_within_us || --seen_->turns_left > 0) return;
  // Where there is an outer anchor it is the one that tells how far the log has come outside.
  const auto told = witness_ ? witness_->written_size() : anchor_->states.back().size;
  require(told >= seen_->size,
          [&] { return "the anchor is not written: " + std::to_string(seen_->size) + " records"; });
  seen_.reset();
}

void Around::calm() {
  anchor_->away = false;
  if (witness_) witness_->away = false;
  free_tiles();
}

void Around::before_start(core::test::Rig& rig, bool power_lost) {
  calm();
  seen_.reset();
  if (power_lost && !rig.tiles.empty()) tear_tiles(rig.tiles);
  if (anchor_->states.empty()) return;
  if (random_->once_in(6)) {
    const auto which = random_->below(witness_ ? 3 : 2);
    auto& fault = which == 0 ? anchor_->away : which == 1 ? anchor_->read_only : witness_->away;
    fault = true;
    refuse(rig, certs::Errc::anchor_unreachable, "without its anchor");
    fault = false;
    ++counts_.anchors_away;
  }
  if (random_->once_in(6)) {
    anchor_->shown = anchor_->states.back();
    anchor_->shown->root = other_than(anchor_->shown->root);
    refuse(rig, certs::Errc::ledger_different, "although the anchor has another history");
    anchor_->shown.reset();
    ++counts_.anchors_lying;
  }
  if (copy_ && copy_->size < anchor_->states.back().size && random_->once_in(2)) put_old_copy(rig);
  if (random_->once_in(4)) {
    anchor_->shown = anchor_->states.at(random_->below(anchor_->states.size()));
    ++counts_.anchors_forgetful;
  }
}

void Around::refuse(core::test::Rig& rig, certs::Errc errc, const char* what) {
  std::string said = "it started";
  bool refused = false;
  rig.try_open([&](const Error& error) {
    refused = error.is(errc);
    said = error.text();
  });
  rig.crash();
  require(refused, [&] { return std::string("a start ") + what + ": " + said; });
}

void Around::put_old_copy(core::test::Rig& rig) {
  auto& disk = Disk::instance();
  auto newest = disk.files();
  disk.put(std::move(copy_->files));
  const bool with_anchor =
      witness_ && witness_->written_size() > copy_->size && random_->once_in(2);
  if (with_anchor) {
    anchor_->shown = copy_->anchor;
    ++counts_.witness_refused;
  }
  copy_.reset();
  refuse(rig, certs::Errc::ledger_shorter, "on an older copy of the disk");
  anchor_->shown.reset();
  disk.put(std::move(newest));
  ++counts_.copies_refused;
}

/// The folder is a file, which takes nothing; or the checkpoint a folder, so that tiles are written
/// that no checkpoint covers.
void Around::block_tiles(const std::string& folder) {
  const bool whole = random_->once_in(2);
  const auto path = whole ? folder : folder + "/checkpoint";
  if (!std::filesystem::exists(path)) return;
  std::filesystem::rename(path, path + ".away");
  if (whole) {
    std::ofstream(path) << "full";
  } else {
    std::filesystem::create_directory(path);
  }
  blocked_ = path;
  ++counts_.tiles_blocked;
}

void Around::free_tiles() {
  if (blocked_.empty()) return;
  std::filesystem::remove_all(blocked_);
  std::filesystem::rename(blocked_ + ".away", blocked_);
  blocked_.clear();
}

void Around::tear_tiles(const std::string& folder) {
  const auto note = certs::read_file(folder + "/checkpoint");
  if (!note) return;
  const auto parsed = certs::parse_checkpoint(*note);
  require(parsed.has_value(), "the tiles have a damaged checkpoint");
  const auto size = parsed->checkpoint.size;
  for (const auto& tile : certs::tiles_between(size, size + torn_ahead)) {
    for (std::uint32_t width = 1; width <= tile.width; ++width) {
      auto part = tile;
      part.width = width;
      if (part.index * certs::tile_width + width <= size && part.level == 0) continue;  // covered
      const auto path = folder + "/" + certs::tile_path(part);
      std::error_code none;
      const auto bytes = std::filesystem::file_size(path, none);
      if (none || bytes == 0 || part.level != 0) continue;
      std::filesystem::resize_file(path, random_->below(bytes));
      ++counts_.tiles_torn;
    }
  }
}

void Around::check_tiles(core::test::Rig& rig) {
  if (rig.tiles.empty()) return;
  const auto size = rig.log().size();
  const auto& hashes = rig.hashes();
  const auto note = certs::read_file(rig.tiles + "/checkpoint");
  const auto ours = rig.log().prover().checkpoint(size);
  require(note.has_value() && ours.has_value() && *note == *ours,
          "the tiles do not end with the log's last checkpoint");
  std::vector<std::string> entries;
  std::vector<Digest> leaves;
  for (std::uint64_t seq = 0; seq < size; ++seq) {
    entries.push_back(rig.ledger().record(seq)->bytes);
    leaves.push_back(certs::leaf_hash(hashes, as_bytes(entries.back())));
  }
  for (const auto& tile : certs::tiles_between(0, size)) {
    const auto first = tile.index * certs::tile_width;
    Bytes wanted;
    if (tile.entries) {
      wanted = certs::encode_entry_bundle(std::span(entries).subspan(first, tile.width));
    } else {
      std::vector<Digest> row;
      const std::uint64_t span = std::uint64_t{1} << (8U * tile.level);
      for (std::uint64_t i = first; i < first + tile.width; ++i) {
        const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(i * span);
        row.push_back(fold(hashes, {from, from + static_cast<std::ptrdiff_t>(span)}));
      }
      wanted = certs::encode_hash_tile(row);
    }
    const auto path = certs::tile_path(tile);
    const auto there = certs::read_file(rig.tiles + "/" + path);
    require(there.has_value() && *there == as_text(wanted),
            [&] { return path + " is not what the log says"; });
    ++counts_.tiles_read;
  }
}

}  // namespace talla::sim
