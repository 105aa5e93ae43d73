// Records what a partner's program opens in the log of its own appliance, before it is sent.
#include "own_log.hpp"

#include <filesystem>

#include "base/bytes.hpp"
#include "certs/files.hpp"
#include "format/merkle.hpp"
#include "steps.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::cli {
namespace {

/// What the appliance says for good.
constexpr std::string_view answered_otherwise = "answered_otherwise";

std::string file_in(const std::string& state) {
  return state + "/own-log.json";
}

std::string begin_anew(const std::string& why) {
  return why + ": what is lost, copied or restored needs a new key, and a new folder";
}

}  // namespace

bool is_final(const Error& error) {
  return error.is(CliErrc::usage);
}

Result<OwnLog> OwnLog::open(const std::string& folder, const std::string& state) {
  TALLA_TRY(auto session, Session::open(folder));
  OwnLog made(std::move(session), file_in(state));
  TALLA_TRY_STATUS(made.load());
  return made;
}

bool OwnLog::known(const std::string& state) {
  return std::filesystem::exists(file_in(state));
}

Status OwnLog::load() {
  if (!std::filesystem::exists(file_)) return {};
  TALLA_TRY(const auto bytes, certs::read_private_file(file_));
  TALLA_TRY(
      const json::Value kept,
      json::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  json::Reader reader(kept, file_);
  Known& known = known_.emplace(Known{.origin = {}, .seq = 0, .leaf = {}});
  TALLA_TRY(known.origin, reader.string("origin"));
  TALLA_TRY(const auto seq, reader.integer("seq", 0, json::integer_max));
  known.seq = static_cast<std::uint64_t>(seq);
  TALLA_TRY(const auto leaf, reader.string("leaf"));
  TALLA_TRY(known.leaf, digest_from_hex(leaf));
  return reader.finish();
}

Status OwnLog::keep() const {
  const std::string text = json::canonical(json::Value(json::Object{
      {"leaf", to_hex(known_->leaf)}, {"origin", known_->origin}, {"seq", known_->seq}}));
  return certs::replace_private_file(file_, as_bytes(text));
}

Status OwnLog::check_known() {
  if (!known_) return {};
  auto bytes = session_.verified_record(known_->seq);
  const bool gone = !bytes && bytes.error().detail.starts_with("not_found");
  if (!bytes && !gone) return pass(std::move(bytes));
  if (gone || certs::leaf_hash(certs::BotanHashes(), as_bytes(*bytes)) != known_->leaf)
    return fail(CliErrc::usage, begin_anew(where() + ": record " + std::to_string(known_->seq) +
                                           " of " + known_->origin + " is not there any more"));
  return {};
}

Result<certs::AnswerBody> OwnLog::record(const certs::AnswerBody& answer) {
  TALLA_TRY_STATUS(check_known());
  const auto reply = session_.post("/v1/answers", answer.to_json());
  if (!reply && reply.error().detail.starts_with(answered_otherwise))
    return fail(CliErrc::usage, begin_anew(where() + ": " + reply.error().detail));
  if (!reply) return tl::unexpected<Error>(reply.error());
  TALLA_TRY(const certs::Record record, session_.parsed("ANSWER"));
  const Digest leaf =
      certs::leaf_hash(certs::BotanHashes(), as_bytes(json::canonical(*session_.record("ANSWER"))));
  if (record.origin == answer.core.origin)
    return fail(CliErrc::usage, where() + ": that is the log which calls, not one's own");
  if (known_ && known_->origin != record.origin)
    return fail(CliErrc::usage, begin_anew(where() + ": its log is " + record.origin +
                                           ", and was " + known_->origin));
  TALLA_TRY(auto recorded, certs::AnswerBody::from_json(record.body));
  // One that was recorded before comes again behind a crash.
  if (known_ && record.seq <= known_->seq) return recorded;
  known_ = Known{record.origin, record.seq, leaf};
  TALLA_TRY_STATUS(keep());
  return recorded;
}

}  // namespace talla::cli
