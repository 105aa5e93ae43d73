/// \file
/// One witness over HTTP: sends it a checkpoint, reads its cosignature or how far it has seen (C2SP
/// tlog-witness).
///
/// Errors:  WitnessErrc; a reply is believed only with a cosignature that verifies. Threads: one
///          caller at a time.
#pragma once

#include <memory>
#include <string>

#include "certs/prover.hpp"
#include "format/cosignature.hpp"

namespace talla::rngd {

enum class WitnessErrc : std::uint16_t {
  bad_url = 810,      ///< not http://HOST[:PORT][/PREFIX] or https://...
  unreachable = 811,  ///< no connection, or no usable reply
  refused = 812,      ///< the witness does not know the log or its key
  ahead = 813,        ///< the witness has cosigned more than this log holds
  different = 814,    ///< the witness has cosigned another history
  forgot = 815,       ///< the witness says less than it has cosigned before
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(WitnessErrc errc);

/// Where a witness listens, read from its URL.
struct WitnessUrl {
  bool tls = false;
  std::string host;
  std::uint16_t port = 0;
  std::string prefix;  ///< without the last slash; may be empty
  [[nodiscard]] static Result<WitnessUrl> parse(std::string_view text);
};

/// A witness and how it is reached.
struct WitnessEndpoint {
  certs::VerifierKey key;
  std::string url;
  std::string roots;  ///< PEM file, for https
};

/// What a push needs of the log: the signed checkpoint that is to be cosigned.
struct PushedHead {
  std::uint64_t size = 0;  ///< records
  std::string note;
};

/// One witness, asked over HTTP.
class WitnessPeer {
 public:
  WitnessPeer(WitnessEndpoint endpoint, std::string origin, unsigned timeout_seconds);
  ~WitnessPeer();
  WitnessPeer(const WitnessPeer&) = delete;
  WitnessPeer& operator=(const WitnessPeer&) = delete;

  [[nodiscard]] const certs::VerifierKey& key() const { return endpoint_.key; }
  /// This witness is known to have cosigned that size.
  void know(std::uint64_t size) { known_size_ = size; }
  /// Its signature line over the checkpoint. At most three requests.
  [[nodiscard]] Result<std::string> push(certs::Prover& prover, const PushedHead& head);
  /// The signed checkpoint it serves to monitors.
  [[nodiscard]] Result<std::string> served_checkpoint(const HashSuite& hashes);

 private:
  struct Http;
  [[nodiscard]] Result<std::string> accept(const PushedHead& head, const std::string& body);
  WitnessEndpoint endpoint_;
  std::string origin_;
  unsigned timeout_seconds_;
  std::uint64_t known_size_ = 0;
  std::unique_ptr<Http> http_;
};

}  // namespace talla::rngd
