#include "journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json.hpp"
#include "client/errc.hpp"

namespace talla::client {

namespace {

tl::unexpected<Error> refuse(const std::string& path, const std::string& why) {
  return fail(Errc::journal_failed, path + ": " + why);
}

/// Writes and syncs a new file.
Status write_synced(const std::string& path, std::string_view text) {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return refuse(path, strerrordesc_np(errno));
  std::size_t written = 0;
  while (written < text.size()) {
    const auto step = ::write(file, text.data() + written, text.size() - written);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) break;
    written += static_cast<std::size_t>(step);
  }
  const bool good = written == text.size() && ::fdatasync(file) == 0;
  const int error = errno;
  ::close(file);
  return good ? Status() : Status(refuse(path, strerrordesc_np(error)));
}

}  // namespace

Result<Journal> Journal::open(std::string path) {
  Journal journal(std::move(path));
  if (journal.path_.empty() || !std::filesystem::exists(journal.path_)) return journal;
  std::ifstream file(journal.path_, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return refuse(journal.path_, "cannot be read");
  const auto value = json::parse(text.str());
  if (!value) return refuse(journal.path_, value.error().text());
  json::Reader reader(*value, journal.path_);
  if (const auto* calls = reader.optional("calls"); calls != nullptr && calls->is_object())
    journal.calls_ = calls->object();
  if (!reader.has("path")) return journal;
  Asked asked;
  TALLA_TRY(asked.path, reader.string("path"));
  TALLA_TRY(asked.body, reader.string("body"));
  TALLA_TRY(asked.key, reader.string("key"));
  journal.pending_ = std::move(asked);
  return journal;
}

/// Replaces the file whole.
Status Journal::write() const {
  if (path_.empty()) return {};
  if (!pending_ && calls_.empty()) {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT)
      return refuse(path_, strerrordesc_np(errno));
    return {};
  }
  json::Value value;
  if (pending_) {
    value["path"] = pending_->path;
    value["body"] = pending_->body;
    value["key"] = pending_->key;
  }
  if (!calls_.empty()) value["calls"] = calls_;
  const std::string fresh = path_ + ".new";
  TALLA_TRY_STATUS(write_synced(fresh, json::canonical(value)));
  if (::rename(fresh.c_str(), path_.c_str()) != 0) return refuse(path_, strerrordesc_np(errno));
  return {};
}

Status Journal::keep(Asked asked, json::Object calls) {
  pending_ = std::move(asked);
  calls_ = std::move(calls);
  return write();
}

Status Journal::forget(json::Object calls) {
  pending_.reset();
  calls_ = std::move(calls);
  return write();
}

}  // namespace talla::client
