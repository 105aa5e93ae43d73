#include "catalogues.hpp"

namespace talla::core {

/// The built-in files are part of the program: read once in a process, and never changed.
Result<std::vector<Catalogues::Entry>> Catalogues::load_built_in(const HashSuite& hashes) {
  std::vector<Entry> all;
  for (const auto& embedded : games::embedded_catalogues()) {
    TALLA_TRY(auto catalogue, games::load_catalogue(embedded.bytes, hashes));
    all.push_back({std::move(catalogue), std::string(as_text(embedded.bytes))});
  }
  return all;
}

Result<std::unique_ptr<Catalogues>> Catalogues::create(const HashSuite& hashes) {
  static const Result<std::vector<Entry>> built_in = load_built_in(hashes);
  if (!built_in) return tl::unexpected<Error>(built_in.error());
  std::unique_ptr<Catalogues> made(new Catalogues(hashes));
  for (const Entry& entry : *built_in) {
    made->by_id_[entry.catalogue->id] = entry.catalogue->digest;
    made->by_digest_.insert_or_assign(entry.catalogue->digest, entry);
  }
  return made;
}

std::shared_ptr<const games::Catalogue> Catalogues::by_id(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : by_digest(found->second);
}

std::shared_ptr<const games::Catalogue> Catalogues::by_digest(const Digest& digest) const {
  const auto found = by_digest_.find(digest);
  return found == by_digest_.end() ? nullptr : found->second.catalogue;
}

std::string Catalogues::file(const Digest& digest) const {
  const auto found = by_digest_.find(digest);
  return found == by_digest_.end() ? std::string() : found->second.file;
}

Status Catalogues::add(std::string file) {
  TALLA_TRY(auto catalogue, games::load_catalogue(as_bytes(file), hashes_));
  const Digest digest = catalogue->digest;
  by_digest_.insert_or_assign(digest, Entry{std::move(catalogue), std::move(file)});
  return {};
}

Error Catalogues::unknown(std::string_view id) const {
  std::string there;
  for (const auto& [known, digest] : by_id_) there += (there.empty() ? "" : ", ") + known;
  return {games::Errc::catalogue_unknown,
          "no built-in catalogue " + std::string(id.substr(0, 60)) + "; there are: " + there};
}

std::vector<std::shared_ptr<const games::Catalogue>> Catalogues::built_in() const {
  std::vector<std::shared_ptr<const games::Catalogue>> all;
  for (const auto& [id, digest] : by_id_) all.push_back(by_digest(digest));
  return all;
}

}  // namespace talla::core
