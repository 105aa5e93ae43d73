/// \file
/// A table's side of its calls as the benches run it: nothing is verified, and a signature costs
/// nothing, so that what is measured is the appliance. (The nonce of every signature is 1: valid,
/// and the private key lies open.)
#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/sha.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "format/record.hpp"

namespace talla_bench {

/// Signs with the nonce 1: r is the x of P-256's generator, s = digest + r d modulo its order.
class OpenSigner {
 public:
  explicit OpenSigner(const std::string& key_pem) : context_(BN_CTX_new()) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> in(
        BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size())), &BIO_free);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
    const std::unique_ptr<EC_GROUP, decltype(&EC_GROUP_free)> group(
        EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), &EC_GROUP_free);
    BIGNUM* secret = nullptr;
    if (!key || !group ||
        EVP_PKEY_get_bn_param(key.get(), OSSL_PKEY_PARAM_PRIV_KEY, &secret) != 1 ||
        EC_GROUP_get_order(group.get(), order_.get(), context_.get()) != 1 ||
        EC_POINT_get_affine_coordinates(group.get(), EC_GROUP_get0_generator(group.get()), r_.get(),
                                        nullptr, context_.get()) != 1 ||
        BN_mod_mul(r_secret_.get(), r_.get(), secret, order_.get(), context_.get()) != 1)
      std::abort();
    BN_free(secret);
  }
  talla::certs::SignatureP256 sign(const talla::Bytes& statement) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(statement.data(), statement.size(), digest.data());
    const Number z(BN_bin2bn(digest.data(), static_cast<int>(digest.size()), nullptr), &BN_free);
    const Number s(BN_new(), &BN_free);
    talla::certs::SignatureP256 signature{};
    if (BN_mod_add(s.get(), z.get(), r_secret_.get(), order_.get(), context_.get()) != 1 ||
        BN_bn2binpad(r_.get(), signature.data(), 32) != 32 ||
        BN_bn2binpad(s.get(), signature.data() + 32, 32) != 32)
      std::abort();
    return signature;
  }

 private:
  using Number = std::unique_ptr<BIGNUM, decltype(&BN_free)>;
  struct FreeContext {
    void operator()(BN_CTX* context) const { BN_CTX_free(context); }
  };
  std::unique_ptr<BN_CTX, FreeContext> context_;
  Number order_{BN_new(), &BN_free}, r_{BN_new(), &BN_free}, r_secret_{BN_new(), &BN_free};
};

class BenchCaller {
 public:
  explicit BenchCaller(const std::string& key_pem) : signer_(key_pem) {}

  /// A reply of this table: what its records say of the next call.
  void take(std::string_view reply) {
    const auto value = talla::json::parse(reply);
    if (!value) std::abort();
    take_receipts(value->find("receipts")->array());
  }
  void take_receipts(const talla::json::Array& receipts) {
    namespace certs = talla::certs;
    for (const auto& receipt : receipts) {
      const auto& bytes = receipt.find("record")->string();
      const auto record = certs::parse_record(bytes);
      if (!record || !record->link) std::abort();
      core_.head = certs::chain_head(hashes_, *record->link,
                                     certs::leaf_hash(hashes_, talla::as_bytes(bytes)));
      if (record->kind == certs::Kind::table_open) {
        opening_ = certs::leaf_hash(hashes_, talla::as_bytes(bytes));
        open(*record);
      }
      if (record->kind == certs::Kind::draw || record->kind == certs::Kind::shoe_mix) ++core_.turn;
      if (record->kind == certs::Kind::draw) ++index_;
      if (record->kind == certs::Kind::batch_commit) commit(*record);
      if (record->kind == certs::Kind::shoe_commit) seal(*record);
    }
  }
  /// Body of the next draw, or of the mix of the shoe that was sealed last.
  std::string draw() {
    core_.use = talla::certs::CallUse::draw;
    core_.object = batch_;
    core_.root = batch_root_;
    core_.at = index_;
    core_.specification = range_;
    return signed_core();
  }
  std::string mix() {
    core_.use = talla::certs::CallUse::mix;
    core_.object = shoe_;
    core_.root = shoe_root_;
    core_.at = 0;
    core_.specification = talla::certs::MixSpecification{1, cards_};
    return signed_core();
  }
  /// The next core names them.
  void name(std::vector<talla::certs::Contributor> others) { core_.others = std::move(others); }
  /// The next core is of this round and its bets.
  void play(const std::string& round, const talla::Digest& bets) {
    core_.round = round;
    core_.bets = bets;
  }
  /// The reply of GET /v1/tables/{table}: where its chain stands. Behind a draw whose record was
  /// not read.
  void take_view(std::string_view reply) {
    const auto value = talla::json::parse(reply);
    if (!value) std::abort();
    const auto* view = value->find("table");
    core_.turn = static_cast<std::uint32_t>(view->find("turn")->integer());
    core_.head = *talla::digest_from_hex(view->find("head")->string());
    ++index_;
  }
  void draws(const talla::certs::DrawSpecification& range) { range_ = range; }
  [[nodiscard]] const talla::certs::CallCore& core() const { return core_; }
  /// Leaf hash of TABLE_OPEN.
  [[nodiscard]] const talla::Digest& opening() const { return opening_; }
  [[nodiscard]] const std::string& table() const { return core_.table; }
  [[nodiscard]] const std::string& shoe() const { return shoe_; }
  /// Secrets of the batch that are left.
  [[nodiscard]] std::uint32_t left() const { return count_ - index_; }

 private:
  void open(const talla::certs::Record& record) {
    namespace certs = talla::certs;
    const auto body = certs::TableOpenBody::from_json(record.body);
    if (!body) std::abort();
    core_.origin = record.origin;
    core_.table = record.object;
    core_.game = body->game;
    core_.variant = body->variant;
    core_.catalogue = body->catalogue;
    core_.parameters = certs::parameters_digest(hashes_, body->parameters);
    core_.bets = certs::bets_digest(hashes_, talla::json::Array{});
    if (const auto* range = body->parameters.find("range"))
      range_ = *certs::specification_from_json(*range);
  }
  void commit(const talla::certs::Record& record) {
    const auto body = talla::certs::BatchCommitBody::from_json(record.body);
    batch_ = record.object;
    batch_root_ = body->root;
    count_ = body->count;
    index_ = 0;
  }
  void seal(const talla::certs::Record& record) {
    const auto body = talla::certs::ShoeCommitBody::from_json(record.body);
    shoe_ = record.object;
    shoe_root_ = body->root;
    cards_ = body->cards;
  }
  std::string signed_core() {
    core_.value = hashes_.sha256({talla::ByteWriter().u64(++values_).bytes()});
    talla::certs::CallBody body{core_, signer_.sign(talla::certs::call_statement(core_.bytes()))};
    return talla::json::canonical(body.to_json());
  }

  talla::certs::OpensslHashes hashes_;
  OpenSigner signer_;
  talla::certs::CallCore core_;
  talla::certs::DrawSpecification range_;
  std::string batch_, shoe_;
  talla::Digest batch_root_{}, shoe_root_{}, opening_{};
  std::uint32_t count_ = 0, index_ = 0, cards_ = 0;
  std::uint64_t values_ = 0;
};

}  // namespace talla_bench
