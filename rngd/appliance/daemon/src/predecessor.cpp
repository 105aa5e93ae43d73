#include "predecessor.hpp"

#include <algorithm>
#include <filesystem>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/succession.hpp"
#include "format/domain.hpp"
#include "log.hpp"

namespace talla::rngd {

namespace {

tl::unexpected<Error> refused(std::string why) {
  return fail(PredecessorErrc::predecessor_refused, std::move(why));
}

core::Reply predecessor_problem(int status, const std::string& code, const std::string& title,
                                const std::string& detail) {
  core::Reply reply;
  reply.status = status;
  reply.content_type = core::problem_type;
  reply.body = json::canonical(json::Object{{"code", code},
                                            {"detail", detail},
                                            {"retry", "never"},
                                            {"status", status},
                                            {"title", title},
                                            {"type", "urn:talla:problem:" + code}});
  return reply;
}

std::string plain_path(const std::string& path) {
  return path.substr(0, path.find('?'));
}

}  // namespace

std::string_view errc_name(PredecessorErrc errc) {
  return errc == PredecessorErrc::predecessor_refused ? "predecessor_refused" : "unknown";
}

Result<std::unique_ptr<Predecessor>> Predecessor::open(const Config& config,
                                                       const HashSuite& hashes,
                                                       const certs::Ledger& own) {
  const std::string folder = config.data_folder + "/predecessor";
  const bool there = std::filesystem::exists(folder + "/manifest.json");
  TALLA_TRY(const auto named, certs::named_predecessor(own));
  if (!named && !there) return std::unique_ptr<Predecessor>();
  if (!named)
    return refused(folder +
                   ": is there, but the log does not name it: talla restore run was not finished");
  if (!there)
    return refused(folder +
                   ": is missing; this log follows the one in it, whose replies must be found");
  TALLA_TRY(const std::string text, certs::read_file(folder + "/manifest.json"));
  TALLA_TRY(certs::BackupManifest manifest, certs::parse_manifest(text));
  if (manifest.checkpoint != *named)
    return refused(folder + ": is not the log that this one names");
  std::unique_ptr<Predecessor> predecessor(
      new Predecessor(hashes, std::move(manifest)));  // NOLINT: private
  TALLA_TRY_STATUS(predecessor->load(config, folder));
  return predecessor;
}

Status Predecessor::load(const Config& config, const std::string& folder) {
  TALLA_TRY(ledger_, certs::open_backup(folder, manifest_.origin));
  certs::CompactRange range;
  TALLA_TRY_STATUS(ledger_->leaves(0, ledger_->size(),
                                   [&](const Digest& leaf) { range.append(hashes_, leaf); }));
  if (range.size() != manifest_.size || range.root(hashes_) != manifest_.root)
    return refused(folder + ": its records are not those of its manifest");
  const std::string note = config.data_folder + "/predecessor.json";
  if (!std::filesystem::exists(note)) return {};  // restored with --lost
  TALLA_TRY(const std::string text, certs::read_file(note));
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  json::Reader in(value, note);
  TALLA_TRY(const std::string source, in.string("log_key"));
  auto signer = certs::open_log_signer(source);
  if (!signer) {
    rngd::log(Level::warning, "predecessor_key",
              {{"meaning", "replies of the old log cannot be proven"},
               {"reason", signer.error().text()}});
    return {};
  }
  signer_ = std::move(*signer);
  prover_ = std::make_unique<certs::Prover>(
      certs::Prover::Effects{.hashes = hashes_, .ledger = *ledger_, .signer = *signer_},
      manifest_.origin);
  TALLA_TRY_STATUS(prover_->load());
  TALLA_TRY(const std::string checkpoint, prover_->checkpoint(manifest_.size));
  if (checkpoint == manifest_.checkpoint) return {};
  return refused(note + ": the key there is not that of " + manifest_.origin);
}

core::Reply Predecessor::stored(const certs::StoredReply& found) const {
  if (!prover_) {
    return predecessor_problem(409, "predecessor_reply", "The log before answered this request",
                               "the key that proves replies of " + manifest_.origin +
                                   " is not here; ask with a new Idempotency-Key "
                                   "only after you know what became of this request");
  }
  auto body = prover_->reply_body(found);
  if (!body)
    return predecessor_problem(409, "predecessor_reply", "The log before answered this request",
                               body.error().detail);
  core::Reply reply;
  reply.status = found.status;
  reply.body = std::move(*body);
  return reply;
}

std::optional<core::Reply> Predecessor::reply(const core::Request& request) const {
  if (request.method == "GET" || request.idempotency_key.empty()) return std::nullopt;
  const auto found = ledger_->reply({.client = request.client.id,
                                     .method = request.method,
                                     .path = plain_path(request.path),
                                     .key = request.idempotency_key});
  if (!found)
    return predecessor_problem(409, "predecessor_reply", "The log before answered this request",
                               found.error().detail);
  if (!found->has_value()) return std::nullopt;
  const Digest digest = certs::request_digest(hashes_, request.method, request.path, request.body);
  if ((*found)->request != digest)
    return predecessor_problem(422, "key_reused", "The Idempotency-Key belongs to another request",
                               "this key belongs to another request");
  return stored(**found);
}

std::optional<core::Reply> Predecessor::lost_reply(const core::Request& request) const {
  constexpr std::string_view prefix = "/v1/requests/";
  const std::string path = plain_path(request.path);
  if (request.method != "GET" || !path.starts_with(prefix)) return std::nullopt;
  const auto all =
      ledger_->replies(request.client.id, std::string_view(path).substr(prefix.size()));
  if (!all) return std::nullopt;
  const auto asked = request.path.find("?path=");
  std::vector<const certs::StoredReply*> found;
  for (const certs::StoredReply& one : *all) {
    if (asked == std::string::npos || one.id.path == request.path.substr(asked + 6))
      found.push_back(&one);
  }
  if (found.size() != 1) return std::nullopt;
  return stored(*found.front());
}

}  // namespace talla::rngd
