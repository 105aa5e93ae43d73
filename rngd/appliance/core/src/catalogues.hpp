/// \file
/// The catalogues this appliance can play: those built in, and those the ledger kept from earlier
/// versions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "games/catalogue.hpp"

namespace talla::core {

class Catalogues {
 public:
  /// Loads the built-in ones. Errors: those of games (a built-in file that does not load is a fault
  /// of the program).
  [[nodiscard]] static Result<std::unique_ptr<Catalogues>> create(const HashSuite& hashes);

  /// A built-in catalogue; null when there is none of that id.
  [[nodiscard]] std::shared_ptr<const games::Catalogue> by_id(std::string_view id) const;
  [[nodiscard]] std::shared_ptr<const games::Catalogue> by_digest(const Digest& digest) const;
  /// The bytes of a known catalogue; empty when unknown.
  [[nodiscard]] std::string file(const Digest& digest) const;
  /// Adds a version from the ledger.
  [[nodiscard]] Status add(std::string file);
  [[nodiscard]] std::vector<std::shared_ptr<const games::Catalogue>> built_in() const;
  /// catalogue_unknown, with those that there are.
  [[nodiscard]] Error unknown(std::string_view id) const;

 private:
  explicit Catalogues(const HashSuite& hashes) : hashes_(hashes) {}
  struct Entry {
    std::shared_ptr<const games::Catalogue> catalogue;
    std::string file;
  };
  [[nodiscard]] static Result<std::vector<Entry>> load_built_in(const HashSuite& hashes);
  const HashSuite& hashes_;
  std::map<std::string, Digest, std::less<>> by_id_;
  std::map<Digest, Entry> by_digest_;
};

}  // namespace talla::core
