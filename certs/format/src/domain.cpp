#include "format/domain.hpp"

namespace talla::certs {
namespace {
Digest over_json(const HashSuite& hashes, std::string_view domain, const json::Value& value) {
  const std::string text = json::canonical(value);
  return hashes.sha256({as_bytes(domain), as_bytes(text)});
}
}  // namespace

Digest catalogue_digest(const HashSuite& hashes, std::string_view file) {
  return hashes.sha256({as_bytes(file)});
}

Digest parameters_digest(const HashSuite& hashes, const json::Value& parameters) {
  return over_json(hashes, domain::parameters, parameters);
}

Digest bets_digest(const HashSuite& hashes, const json::Value& bets) {
  return over_json(hashes, domain::bets, bets);
}

Digest state_digest(const HashSuite& hashes, const json::Value& state) {
  return over_json(hashes, domain::state, state);
}

Digest chain_head(const HashSuite& hashes, const Digest& link, const Digest& leaf) {
  return hashes.sha256({as_bytes(domain::link), link, leaf});
}

Digest request_digest(const HashSuite& hashes, std::string_view method, std::string_view path,
                      std::string_view body) {
  ByteWriter input;
  input.raw(domain::request).field(method).field(path).field(body);
  return hashes.sha256({input.bytes()});
}

}  // namespace talla::certs
