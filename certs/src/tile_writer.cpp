#include "certs/tile_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "certs/files.hpp"
#include "format/tiles.hpp"

namespace talla::certs {

namespace {

/// Not synced one by one: `sync_all` comes before the checkpoint that covers them.
Status write_file(const std::string& path, ByteView content) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::string fresh = path + ".new";
  {
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    const std::string_view text = as_text(content);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.flush();
    if (!out) return fail(Errc::tiles_io, fresh + ": cannot be written");
  }
  std::filesystem::rename(fresh, path, error);
  if (error) return fail(Errc::tiles_io, path + ": " + error.message());
  return {};
}

/// Everybody may read the file and go through the folders above it, up to that of the log.
Status publish(const std::string& folder, const std::string& path) {
  if (::chmod((folder + "/" + path).c_str(), 0644) != 0)
    return fail(Errc::tiles_io, path + ": cannot be published");
  for (auto at = path.rfind('/'); at != std::string::npos;
       at = at == 0 ? std::string::npos : path.rfind('/', at - 1)) {
    if (::chmod((folder + "/" + path.substr(0, at)).c_str(), 0755) != 0)
      return fail(Errc::tiles_io, path.substr(0, at) + ": cannot be published");
  }
  return {};
}

Status sync_all(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = fd >= 0 && ::syncfs(fd) == 0;
  if (fd >= 0) static_cast<void>(::close(fd));
  if (!done) return fail(Errc::tiles_io, folder + ": cannot be synced");
  return {};
}

Result<Bytes> tile_content(const Log& log, const Tile& tile) {
  const std::uint64_t first = tile.index * tile_width;
  if (tile.entries) {
    TALLA_TRY(const auto records, log.ledger().records(first, first + tile.width));
    if (records.size() != tile.width)
      return fail(Errc::ledger_damaged, fmt::format("records from {}", first));
    std::vector<std::string> entries;
    entries.reserve(records.size());
    for (const LedgerRecord& record : records) entries.push_back(record.bytes);
    return encode_entry_bundle(entries);
  }
  std::vector<Digest> hashes;
  hashes.reserve(tile.width);
  for (std::uint64_t i = 0; i < tile.width; ++i) {
    TALLA_TRY(const Digest hash, log.prover().node(8 * tile.level, first + i));
    hashes.push_back(hash);
  }
  return encode_hash_tile(hashes);
}

}  // namespace

Result<TileWriter> TileWriter::open(Log& log, std::string folder, bool published) {
  TALLA_TRY_STATUS(create_folder(folder));
  if (published && ::chmod(folder.c_str(), 0755) != 0)
    return fail(Errc::tiles_io, folder + ": cannot be published");
  TileWriter writer(log, std::move(folder), published);
  const std::string path = writer.folder_ + "/checkpoint";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return writer;
  TALLA_TRY(const std::string note, read_file(path));
  const auto parsed = parse_checkpoint(note);
  if (!parsed) return fail(Errc::ledger_different, path + ": " + parsed.error().text());
  const Checkpoint& head = parsed->checkpoint;
  if (head.origin != log.origin())
    return fail(Errc::ledger_different, path + ": of the log '" + head.origin + "'");
  if (head.size > log.size()) {
    return fail(Errc::ledger_shorter, fmt::format("{}: size {}, but the ledger holds {} records",
                                                  path, head.size, log.size()));
  }
  TALLA_TRY(const std::string ours, log.prover().checkpoint(head.size));
  if (ours != note)
    return fail(Errc::ledger_different, path + ": is not this log's checkpoint of that size");
  writer.written_size_ = head.size;
  return writer;
}

Status TileWriter::update() {
  const std::uint64_t size = log_->size();
  if (size == written_size_) return {};
  return write_range(written_size_, size);
}

Status TileWriter::rebuild() {
  return write_range(0, log_->size());
}

Status TileWriter::write_range(std::uint64_t from, std::uint64_t to) {
  for (const Tile& tile : tiles_between(from, to)) {
    TALLA_TRY(const Bytes content, tile_content(*log_, tile));
    TALLA_TRY_STATUS(write_file(folder_ + "/" + tile_path(tile), content));
    if (published_) TALLA_TRY_STATUS(publish(folder_, tile_path(tile)));
  }
  TALLA_TRY_STATUS(sync_all(folder_));
  TALLA_TRY(const std::string note, log_->prover().checkpoint(to));
  if (auto written = replace_file(folder_ + "/checkpoint", note); !written) {
    return fail(Errc::tiles_io, written.error().detail);
  }
  if (published_) TALLA_TRY_STATUS(publish(folder_, "checkpoint"));
  written_size_ = to;
  return {};
}

}  // namespace talla::certs
