/// \file
/// An inspector's look at a running appliance: asked over its API, believed nothing.
///
/// Every question is a command line of `talla` beside this program. What counts is what verifies on
/// this machine: the answer of the software under a fresh nonce, held against a reference; the
/// newest records, each with its receipt, without a gap and with that very answer among them; the
/// last settled rounds, from their evidence, settled again; and, with a checkpoint that was kept
/// from an earlier visit, that the log of then is the beginning of that of now.
/// Errors: SubmitErrc::submit_refused: the folder is there, the key of the log cannot be read, that
/// checkpoint is none that it has signed; what is wrong with an appliance is no error, but a
/// finding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

/// Who is asked, and what the inspector knows by other ways.
struct FieldWish {
  std::string out;                        ///< folder, new
  std::string inspector;                  ///< who signs the page
  std::string client;                     ///< folder with client.toml
  std::string root;                       ///< trusted roots of the log, PEM
  std::string log_key;                    ///< statement of the log's key, or all keys of it
  std::string manifest{};                 ///< signed manifest of the software; empty: not looked at
  std::vector<std::string> signers{};     ///< verifier keys that must have signed it
  std::string reference{};                ///< folder with a copy of every file of it
  std::vector<std::string> catalogues{};  ///< files of the rules that the inspector knows
  std::string since{};                    ///< checkpoint kept from an earlier visit; empty: none
  std::string policy{};                   ///< C2SP tlog-policy; empty: witnesses are not looked at
  /// type=FILE and installation=FILE; empty: certification is not looked at.
  std::vector<std::string> certification_roots{};
  std::uint32_t records = 40;  ///< newest records that are looked at, each with its receipt
  std::uint32_t rounds = 5;    ///< last settlements and draws that are settled again
};
/// {"checks": [{"name", "verdict", "words"}], "origin", "size", "verdict", ...}, also written into
/// the folder with everything that was received, and as page-LANGUAGE.html and .pdf. `checkpoint`
/// there is for the next visit. `verdict`: good, bad; of a check also not-looked-at.
[[nodiscard]] Result<json::Value> inspect_appliance(const FieldWish& wish);

}  // namespace talla::lab::submit
