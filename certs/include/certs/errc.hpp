/// \file
/// What the signing side refuses: one stable number and name each (650-699 of the module's
/// 500-699).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::certs {

enum class Errc : std::uint16_t {
  crypto_failed = 650,     ///< a call of OpenSSL failed
  key_file_open = 651,     ///< a private file is readable by group or others, or is no plain file
  key_file_missing = 652,  ///< no such file, or not readable
  key_malformed = 653,     ///< the file holds no key, certificate or statement of the kind expected
  key_exists = 654,        ///< a key or certificate is never overwritten
  id_malformed = 655,      ///< client id, origin or role outside its alphabet
  seal_refused = 656,      ///< sealed bytes do not open under this key and context
  ledger_io = 657,         ///< the database could not be opened, read or written
  ledger_foreign = 658,    ///< the file is no ledger, of another schema, or of another origin
  ledger_damaged = 659,    ///< gap, flipped byte, wrong leaf hash or failed integrity check
  ledger_shorter = 660,    ///< the ledger ends before the anchor
  ledger_different = 661,  ///< another history than the anchor's
  ledger_latched = 662,    ///< an earlier commit failed: closed for good
  ledger_locked = 663,     ///< another process has the ledger open
  group_refused = 664,     ///< the group does not continue the ledger
  duplicate_key = 665,     ///< the idempotency key is taken
  not_found = 667,         ///< no such record, object, reply, batch end or catalogue
  anchor_malformed = 668,  ///< the anchor file is damaged
  record_refused = 669,    ///< the record breaks the order of its object
  secret_malformed = 670,  ///< an unsealed shoe or batch does not match its commitment
  wrong_position = 671,    ///< mixed twice, dealt before the mix, past the end or out of order
  face_refused = 673,      ///< this face or opening is not given for this shoe or position
  wrong_index = 674,       ///< not the next secret of the batch
  tiles_io = 675,          ///< a tile could not be written
  count_refused = 677,     ///< a count outside its range
  /// No pkcs11: URI of the kind expected, or a secret source that cannot be one.
  uri_malformed = 678,
  module_refused = 679,  ///< a PKCS#11 module that cannot be loaded or started
  token_refused = 680,   ///< no such token, more than one, or it does not take a log-in
  object_missing = 681,  ///< the token holds no such object
  object_refused = 682,  ///< an object of another type, unprotected, or more than one of its name
  pkcs11_failed = 683,   ///< a call of a PKCS#11 module failed; the detail holds its CKR name
  // Of a ledger on a server.
  ledger_unsafe = 690,  ///< the server does not keep what it acknowledges, or the way to it is open
  ledger_fenced = 691,  ///< another daemon of this origin has taken the log over
  ledger_unreachable = 692,  ///< the server does not answer; it may later
  // Of anchors and witnesses.
  witness_state = 695,  ///< a witness's own state is missing, damaged, in use or of another key
  anchor_unreachable = 696,  ///< the anchor outside the ledger cannot be read or written now
  anchor_foreign = 697,      ///< it belongs to another log, or is not ours to write
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::certs
