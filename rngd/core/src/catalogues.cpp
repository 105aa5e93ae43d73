#include "catalogues.hpp"

namespace talla::core {

Result<std::unique_ptr<Catalogues>> Catalogues::create(const HashSuite& hashes) {
  std::unique_ptr<Catalogues> made(new Catalogues(hashes));
  for (const auto& embedded : games::embedded_catalogues()) {
    TALLA_TRY_STATUS(made->add(std::string(as_text(embedded.bytes))));
    for (const auto& [digest, entry] : made->by_digest_) {
      if (entry.catalogue->id == embedded.id) made->by_id_[entry.catalogue->id] = digest;
    }
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

std::vector<std::shared_ptr<const games::Catalogue>> Catalogues::built_in() const {
  std::vector<std::shared_ptr<const games::Catalogue>> all;
  for (const auto& [id, digest] : by_id_) all.push_back(by_digest(digest));
  return all;
}

}  // namespace talla::core
