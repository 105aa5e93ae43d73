/// \file
/// Seats that contribute to the calls of one table, in one process with it. They verify nothing,
/// and their signatures cost nothing, as those of bench_caller.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "bench_caller.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/call.hpp"
#include "seat_pair.hpp"

namespace talla_bench {

class BenchSeat {
 public:
  /// `opening`: leaf hash of its TABLE_OPEN.
  BenchSeat(const std::string& table, int seat, const talla::Digest& opening)
      : seat_(seat),
        id_("seat-" + std::to_string(seat)),
        token_(hashes_.sha256({talla::as_bytes("token of " + table + "/" + id_)})),
        opening_(opening),
        seed_(hashes_.sha256({talla::as_bytes("seed of " + table + "/" + id_)})),
        pair_(talla::certs::testing::seat_pair()),
        signer_(std::make_unique<OpenSigner>(pair_.pem)) {}

  [[nodiscard]] const std::string& id() const { return id_; }
  /// Digest of the token that it asks with.
  [[nodiscard]] const talla::Digest& token() const { return token_; }
  /// Body of the table's request to invite it.
  [[nodiscard]] std::string invitation() const {
    return talla::json::canonical(
        talla::json::Value(talla::json::Object{{"seat", seat_}, {"token", talla::to_hex(token_)}}));
  }
  /// Commitments that no call has spent.
  [[nodiscard]] std::uint32_t left() const { return committed_ - used_; }
  /// Body that hands in the next ones, as many as may be ahead.
  std::string commitments() {
    constexpr std::uint32_t ahead = 16;
    talla::json::Array commits;
    const std::uint32_t from = committed_ + 1;
    while (committed_ < used_ + ahead) commits.emplace_back(talla::to_hex(commit(++committed_)));
    return talla::json::canonical(
        talla::json::Value(talla::json::Object{{"id", id_},
                                               {"key", talla::to_base64(pair_.spki)},
                                               {"from", from},
                                               {"commits", std::move(commits)}}));
  }
  /// What the next core says of it; spends a commitment.
  talla::certs::Contributor next() {
    ++used_;
    return {.id = id_, .key = pair_.spki, .t = used_, .commit = commit(used_)};
  }
  /// Body of its opening behind the call that named it last.
  std::string open(const talla::Digest& call) {
    const talla::Digest value = this->value(used_);
    const auto signature = signer_->sign(talla::certs::opening_statement(call, id_, used_, value));
    return talla::json::canonical(talla::json::Value(talla::json::Object{
        {"id", id_}, {"value", talla::to_hex(value)}, {"signature", talla::to_base64(signature)}}));
  }

 private:
  [[nodiscard]] talla::Digest value(std::uint32_t t) const {
    return talla::certs::contribution_value(hashes_, seed_, opening_, t);
  }
  [[nodiscard]] talla::Digest commit(std::uint32_t t) const {
    return talla::certs::contribution_commit(hashes_, opening_, id_, t, value(t));
  }

  talla::certs::OpensslHashes hashes_;
  int seat_;
  std::string id_;
  talla::Digest token_;
  talla::Digest opening_;
  talla::Digest seed_;
  talla::certs::testing::SeatPair pair_;
  std::unique_ptr<OpenSigner> signer_;
  std::uint32_t committed_ = 0;
  std::uint32_t used_ = 0;
};

}  // namespace talla_bench
