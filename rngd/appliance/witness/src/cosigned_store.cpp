#include "witness/cosigned_store.hpp"

#include <unistd.h>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "format/cosignature.hpp"

namespace talla::rngd {
namespace {

constexpr std::size_t notes_kept = 32;
constexpr std::string_view store_type = "talla-cosigned";

tl::unexpected<Error> damaged(const std::string& path, const std::string& why) {
  return fail(certs::Errc::witness_state, path + ": " + why);
}

}  // namespace

std::string CosignedStore::Entry::text() const {
  std::string all = note;
  for (const auto& [witness, line] : lines) all += line;
  return all;
}

Status CosignedStore::load() {
  if (::access(path_.c_str(), F_OK) != 0) return {};
  TALLA_TRY(const std::string text, certs::read_file(path_));
  const auto value = json::parse_canonical(text);
  if (!value) return damaged(path_, value.error().text());
  json::Reader reader(*value, "cosigned");
  const auto version = reader.integer("v", 1, 1);
  const auto type = reader.string("type");
  const auto notes = reader.array("checkpoints");
  const auto sizes = reader.array("witnesses");
  if (!version || !type || *type != store_type || !notes || !sizes || !reader.finish())
    return damaged(path_, "members or types");
  const std::scoped_lock lock(mutex_);
  for (const json::Value& one : **notes) {
    if (!one.is_string()) return damaged(path_, "a checkpoint is no text");
    const auto parsed = certs::parse_cosigned_checkpoint(one.string());
    if (!parsed || parsed->checkpoint.origin != origin_)
      return damaged(path_, "a checkpoint is damaged or foreign");
    Entry& entry = entries_[parsed->checkpoint.size];
    for (const certs::NoteSignature& line : parsed->note.signatures) {
      const std::string written = certs::signature_line(line.name, line.key_id, line.signature);
      if (line.name == origin_) {
        entry.note = parsed->text + "\n" + written;
      } else {
        entry.lines[line.name + "+" + to_hex(line.key_id)] = written;
      }
    }
  }
  for (const json::Value& one : **sizes) {
    json::Reader witness(one, "witness");
    const auto key = witness.string("key");
    const auto size = witness.integer("size", 0, json::integer_max);
    if (!key || !size || !witness.finish()) return damaged(path_, "members or types of a witness");
    sizes_[*key] = static_cast<std::uint64_t>(*size);
  }
  return {};
}

std::vector<CosignedNote> CosignedStore::notes() const {
  const std::scoped_lock lock(mutex_);
  std::vector<CosignedNote> all;
  for (const auto& [size, entry] : entries_) all.push_back({size, entry.text()});
  return all;
}

std::optional<std::uint64_t> CosignedStore::size_of(const std::string& witness) const {
  const std::scoped_lock lock(mutex_);
  const auto found = sizes_.find(witness);
  return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

void CosignedStore::add(const std::string& witness, std::uint64_t size, const std::string& note,
                        const std::string& line) {
  const std::scoped_lock lock(mutex_);
  sizes_[witness] = size;
  Entry& entry = entries_[size];
  entry.note = note;
  entry.lines[witness.substr(0, witness.find('+') + 9)] = line;
  while (entries_.size() > notes_kept) entries_.erase(entries_.begin());
}

Status CosignedStore::save() const {
  std::string text;
  {
    const std::scoped_lock lock(mutex_);
    json::Array notes;
    for (const auto& [size, entry] : entries_) notes.emplace_back(entry.text());
    json::Array sizes;
    for (const auto& [key, size] : sizes_)
      sizes.emplace_back(json::Object{{"key", key}, {"size", size}});
    text = json::canonical(json::Object{{"checkpoints", std::move(notes)},
                                        {"type", store_type},
                                        {"v", 1},
                                        {"witnesses", std::move(sizes)}});
  }
  return certs::replace_file(path_, text);
}

std::optional<CosignedNote> CosignedStore::covering(std::optional<std::uint64_t> seq) const {
  const std::scoped_lock lock(mutex_);
  const Entry* best = nullptr;
  std::uint64_t best_size = 0;
  for (const auto& [size, entry] : entries_) {
    if (seq && size <= *seq) continue;
    if (best != nullptr && entry.lines.size() < best->lines.size()) continue;
    best = &entry;
    best_size = size;
  }
  return best == nullptr ? std::nullopt : std::optional(CosignedNote{best_size, best->text()});
}

}  // namespace talla::rngd
