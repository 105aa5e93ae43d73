// What a witness remembers of each log, kept on the disk before it cosigns.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "certs/witness.hpp"
#include "errno_text.hpp"
#include "format/merkle.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view state_type = "talla-witness-state";

tl::unexpected<Error> refuse(const std::string& path, const std::string& why) {
  return fail(Errc::witness_state, path + ": " + why);
}

/// The state without its digest; the digest is over this text.
json::Value state_value(const VerifierKey& key,
                        const std::map<std::string, std::string, std::less<>>& notes) {
  json::Array logs;
  for (const auto& [origin, note] : notes)
    logs.emplace_back(json::Object{{"checkpoint", note}, {"origin", origin}});
  return json::Object{
      {"key", format_verifier_key(key)}, {"logs", std::move(logs)}, {"type", state_type}, {"v", 1}};
}

std::string witness_state_digest(const HashSuite& hashes, const json::Value& state) {
  return to_hex(hashes.sha256({as_bytes(json::canonical(state))}));
}

std::string state_text(const HashSuite& hashes, const VerifierKey& key,
                       const std::map<std::string, std::string, std::less<>>& notes) {
  json::Value state = state_value(key, notes);
  std::string digest = witness_state_digest(hashes, state);
  state["digest"] = std::move(digest);
  return json::canonical(state);
}

}  // namespace

Status Witness::create_state(const HashSuite& hashes, const std::string& path,
                             const VerifierKey& key) {
  return create_public_file(path, state_text(hashes, key, {}));
}

Result<std::unique_ptr<Witness>> Witness::open(const Effects& effects, Options options) {
  std::unique_ptr<Witness> witness(
      new Witness(effects, std::move(options)));  // NOLINT: private constructor
  TALLA_TRY_STATUS(witness->lock());
  TALLA_TRY_STATUS(witness->load());
  return witness;
}

Witness::Witness(const Effects& effects, Options options)
    : effects_(effects),
      options_(std::move(options)),
      key_(make_verifier_key(effects.hashes, options_.name, KeyType::witness,
                             effects.signer.public_key())) {
  for (const WitnessedLog& log : options_.logs) {
    Entry entry{.log = log,
                .head = {.origin = log.origin, .size = 0, .root = empty_root(effects.hashes)},
                .note = {},
                .figures = {.origin = log.origin}};
    entries_.emplace(log.origin, std::move(entry));
    origins_.emplace(to_hex(effects.hashes.sha256({as_bytes(log.origin)})), log.origin);
  }
}

Witness::~Witness() {
  if (lock_fd_ >= 0) ::close(lock_fd_);
}

Status Witness::lock() {
  const std::string path = options_.state_path + ".lock";
  lock_fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_fd_ < 0) return refuse(path, errno_text());
  if (::flock(lock_fd_, LOCK_EX | LOCK_NB) != 0)
    return refuse(path, "another process cosigns with this state");
  return {};
}

Status Witness::load() {
  if (::access(options_.state_path.c_str(), F_OK) != 0) {
    return refuse(options_.state_path,
                  "is missing; without it a second history could be cosigned (talla witness init "
                  "makes a new one)");
  }
  TALLA_TRY(const std::string text, read_file(options_.state_path));
  const auto value = json::parse_canonical(text);
  if (!value) return refuse(options_.state_path, value.error().text());
  json::Reader reader(*value, "state");
  const auto version = reader.integer("v", 1, 1);
  const auto type = reader.string("type");
  const auto key = reader.string("key");
  const auto digest = reader.string("digest");
  const json::Value* logs = value->find("logs");
  if (!version || !type || *type != state_type || !key || !digest || logs == nullptr ||
      !logs->is_array())
    return refuse(options_.state_path, "members or types");
  if (*key != format_verifier_key(key_))
    return refuse(options_.state_path, "belongs to the witness key " + *key);
  std::map<std::string, std::string, std::less<>> notes;
  for (const json::Value& one : logs->array()) {
    const json::Value* origin = one.is_object() ? one.find("origin") : nullptr;
    const json::Value* note = one.is_object() ? one.find("checkpoint") : nullptr;
    if (origin == nullptr || note == nullptr || !origin->is_string() || !note->is_string())
      return refuse(options_.state_path, "members or types of a log");
    notes.emplace(origin->string(), note->string());
    TALLA_TRY_STATUS(load_entry(origin->string(), note->string()));
  }
  if (*digest != witness_state_digest(effects_.hashes, state_value(key_, notes)))
    return refuse(options_.state_path, "its digest is wrong");
  return {};
}

Status Witness::load_entry(const std::string& origin, const std::string& note) {
  const auto parsed = parse_note(note);
  if (!parsed) return refuse(options_.state_path, origin + ": its checkpoint is damaged");
  const auto head = parse_checkpoint_text(parsed->text);
  if (!head || head->origin != origin)
    return refuse(options_.state_path, origin + ": its checkpoint is damaged");
  const CheckedCosignature own = check_cosignature(*parsed, key_, effects_.verifier);
  if (own.state != Signed::valid)
    return refuse(options_.state_path,
                  origin + ": its checkpoint is not what this witness cosigned");
  last_time_s_ = std::max(last_time_s_, own.time_s);
  const auto entry = entries_.find(origin);
  if (entry == entries_.end()) {  // remembered, should the log come back
    other_notes_.emplace(origin, note);
    return {};
  }
  entry->second.head = *head;
  entry->second.note = note;
  entry->second.figures.size = head->size;
  entry->second.figures.time_s = own.time_s;
  return {};
}

Status Witness::store(const std::string& origin, const std::string& note) {
  std::map<std::string, std::string, std::less<>> notes = other_notes_;
  for (const auto& [name, entry] : entries_) {
    if (!entry.note.empty()) notes[name] = entry.note;
  }
  notes[origin] = note;
  return replace_file(options_.state_path, state_text(effects_.hashes, key_, notes));
}

}  // namespace talla::certs
