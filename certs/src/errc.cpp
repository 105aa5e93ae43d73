#include "certs/errc.hpp"

namespace talla::certs {

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::crypto_failed:
      return "crypto_failed";
    case Errc::key_file_open:
      return "key_file_open";
    case Errc::key_file_missing:
      return "key_file_missing";
    case Errc::key_malformed:
      return "key_malformed";
    case Errc::key_exists:
      return "key_exists";
    case Errc::id_malformed:
      return "id_malformed";
    case Errc::seal_refused:
      return "seal_refused";
    case Errc::ledger_io:
      return "ledger_io";
    case Errc::ledger_foreign:
      return "ledger_foreign";
    case Errc::ledger_damaged:
      return "ledger_damaged";
    case Errc::ledger_shorter:
      return "ledger_shorter";
    case Errc::ledger_different:
      return "ledger_different";
    case Errc::ledger_latched:
      return "ledger_latched";
    case Errc::ledger_locked:
      return "ledger_locked";
    case Errc::group_refused:
      return "group_refused";
    case Errc::duplicate_key:
      return "duplicate_key";
    case Errc::not_found:
      return "not_found";
    case Errc::anchor_malformed:
      return "anchor_malformed";
    case Errc::record_refused:
      return "record_refused";
    case Errc::secret_malformed:
      return "secret_malformed";
    case Errc::wrong_position:
      return "wrong_position";
    case Errc::face_refused:
      return "face_refused";
    case Errc::wrong_index:
      return "wrong_index";
    case Errc::tiles_io:
      return "tiles_io";
    case Errc::count_refused:
      return "count_refused";
    case Errc::uri_malformed:
      return "uri_malformed";
    case Errc::module_refused:
      return "module_refused";
    case Errc::token_refused:
      return "token_refused";
    case Errc::object_missing:
      return "object_missing";
    case Errc::object_refused:
      return "object_refused";
    case Errc::pkcs11_failed:
      return "pkcs11_failed";
    case Errc::ledger_unsafe:
      return "ledger_unsafe";
    case Errc::ledger_fenced:
      return "ledger_fenced";
    case Errc::ledger_unreachable:
      return "ledger_unreachable";
    case Errc::witness_state:
      return "witness_state";
    case Errc::anchor_unreachable:
      return "anchor_unreachable";
    case Errc::anchor_foreign:
      return "anchor_foreign";
  }
  return "unknown";
}

}  // namespace talla::certs
