// What the tests of the signing side share: folders that vanish, a fixed log key, drafts that are
// valid records. Plain values and small helpers; no assertions but ASSERT-like aborts on set-up
// failures.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "certs/anchor.hpp"
#include "certs/log.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/seal.hpp"
#include "certs/shoe.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "format/body_table.hpp"
#include "format/log_key.hpp"

namespace talla::certs::testing {

inline constexpr const char* origin = "log.example/test";
/// The shoe of most tests of cards.
inline constexpr const char* shoe_41 = "shoe-41";
/// When a simulated clock begins.
inline constexpr std::int64_t start_us = 1'767'225'600'000'000;
/// When a ceremony makes its certificates.
inline constexpr std::int64_t ceremony_us = 1'790'000'000'000'000;
inline const OpensslHashes openssl_hashes;

/// The value of a Result that must be there.
template <class T>
T must(Result<T> result) {
  if (!result) {
    std::cerr << "set-up failed: " << result.error().text() << '\n';
    std::abort();
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "talla-certs-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The statement of a log key, from its file.
inline LogKey read_log_key(const std::string& path) {
  return must(LogKey::from_json(must(json::parse_canonical(whole_file(path)))));
}

inline SecretBytes secret_of(std::string_view text) {
  return {text.begin(), text.end()};
}

inline std::unique_ptr<Ed25519Signer> fixed_signer() {
  std::array<std::uint8_t, 32> key{};
  key.fill(7);
  return must(make_log_signer(key));
}

inline RecordDraft access_draft(const std::string& what) {
  json::Value body;
  body["what"] = what;
  body["result"] = "allowed";
  RecordDraft draft;
  draft.kind = Kind::access;
  draft.body = std::move(body);
  return draft;
}

inline Context some_context() {
  Context context;
  context.construction = "system";
  context.sources = {
      {.model = "system", .source_class = "system", .millibits = 8000, .verdict = "healthy"}};
  return context;
}

/// Of a key that nobody looks at here.
inline TableOpenBody keyed_table() {
  TableOpenBody table;
  table.key = {1};
  table.chain = {{2}};
  return table;
}

inline RecordDraft table_draft() {
  TableOpenBody body = keyed_table();
  body.place = "Mesa 1";
  body.parameters["deck"] = "french52x8";
  body.settled_by_client = true;
  RecordDraft draft;
  draft.kind = Kind::table_open;
  draft.body = body.to_json();
  return draft;
}

inline json::Value table_close_body() {
  TableCloseBody body;
  body.place = "Mesa 1";
  return body.to_json();
}

/// Bits of a fixed-seed generator; counts what was asked.
class FixedBits {
 public:
  explicit FixedBits(std::uint64_t seed) : engine_(seed) {}
  [[nodiscard]] FullEntropyBits source() {
    return [this](std::size_t bytes) -> Result<SecretBytes> {
      SecretBytes out(bytes);
      for (auto& byte : out) byte = static_cast<std::uint8_t>(engine_() & 0xffU);
      asked_ += bytes;
      return out;
    };
  }
  [[nodiscard]] std::size_t asked() const { return asked_; }

 private:
  std::mt19937_64 engine_;
  std::size_t asked_ = 0;
};

/// A log over SQLite in a folder, with a clock that the test moves.
struct Appliance {
  explicit Appliance(const Folder& folder, const std::string& vfs = "")
      : anchor(folder / "anchor.json"),
        ledger(
            must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin, .vfs = vfs}))),
        log(must(Log::open({.hashes = hashes,
                            .ledger = *ledger,
                            .signer = *signer,
                            .clock = clock,
                            .anchor = &anchor},
                           {.origin = origin}))) {}
  OpensslHashes hashes;
  std::unique_ptr<Ed25519Signer> signer = fixed_signer();
  ManualClock clock;
  FileAnchor anchor;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Log> log;

  /// Commits one group of so many ACCESS records.
  Committed add(int count, const std::string& what = "status") {
    for (int i = 0; i < count; ++i) must(log->append(access_draft(what)));
    return must(log->commit());
  }
};

}  // namespace talla::certs::testing
