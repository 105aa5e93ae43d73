#include "certs/covered.hpp"

#include "recipient.hpp"

namespace talla::certs {

Result<Bytes> encrypt_opening(const CoveredContext& context, ByteView spki,
                              const CardOpening& opening) {
  TALLA_TRY(const Recipient seat, Recipient::create(spki));
  Bytes out = seat.ephemeral();
  std::string plain = json::canonical(opening.to_json());
  const auto sealed = seat.seal(covered_info(context, seat.ephemeral()), as_bytes(plain), out);
  wipe(plain.data(), plain.size());
  TALLA_TRY_STATUS(sealed);
  return out;
}

}  // namespace talla::certs
