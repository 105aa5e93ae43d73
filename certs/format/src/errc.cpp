#include "format/errc.hpp"

namespace talla::certs {

std::string_view errc_name(FormatErrc errc) {
  switch (errc) {
    case FormatErrc::malformed_record:
      return "malformed_record";
    case FormatErrc::unknown_version:
      return "unknown_version";
    case FormatErrc::record_too_long:
      return "record_too_long";
    case FormatErrc::malformed_body:
      return "malformed_body";
    case FormatErrc::malformed_context:
      return "malformed_context";
    case FormatErrc::index_out_of_range:
      return "index_out_of_range";
    case FormatErrc::proof_length:
      return "proof_length";
    case FormatErrc::wrong_root:
      return "wrong_root";
    case FormatErrc::malformed_note:
      return "malformed_note";
    case FormatErrc::malformed_checkpoint:
      return "malformed_checkpoint";
    case FormatErrc::malformed_proof:
      return "malformed_proof";
    case FormatErrc::malformed_receipt:
      return "malformed_receipt";
    case FormatErrc::malformed_tile:
      return "malformed_tile";
    case FormatErrc::malformed_specification:
      return "malformed_specification";
    case FormatErrc::malformed_mix:
      return "malformed_mix";
    case FormatErrc::malformed_statement:
      return "malformed_statement";
    case FormatErrc::malformed_bundle:
      return "malformed_bundle";
    case FormatErrc::unknown_kind:
      return "unknown_kind";
    case FormatErrc::malformed_key:
      return "malformed_key";
    case FormatErrc::malformed_cosignature:
      return "malformed_cosignature";
    case FormatErrc::malformed_policy:
      return "malformed_policy";
    case FormatErrc::malformed_submission:
      return "malformed_submission";
    case FormatErrc::malformed_certification:
      return "malformed_certification";
  }
  return "unknown";
}

}  // namespace talla::certs
