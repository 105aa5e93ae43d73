// Who contributes to the calls of a table beside the table itself.
#include "panel.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "core/errc.hpp"
#include "format/record.hpp"

namespace talla::core {
namespace {

tl::unexpected<Error> damaged_panel(const char* what) {
  return fail(Errc::replay_failed, std::string("contributors of a table: ") + what);
}

template <class T>
const T& or_empty(const std::shared_ptr<const T>& shared) {
  static const T none;
  return shared ? *shared : none;
}

/// How many spent commitments are kept.
constexpr std::uint32_t spent_kept = Panel::ahead_max;

Result<CommittedAhead> read_ahead(json::Reader& reader) {
  CommittedAhead out;
  TALLA_TRY(const auto key, reader.string("key"));
  TALLA_TRY(out.key, from_base64(key));
  TALLA_TRY(const auto from, reader.integer("from", 1, std::int64_t{UINT32_MAX}));
  out.from = static_cast<std::uint32_t>(from);
  TALLA_TRY(const auto* commits, reader.array("commits"));
  for (const auto& one : *commits) {
    const auto commit = one.is_string() ? digest_from_hex(one.string()) : digest_from_hex("");
    if (!commit) return damaged_panel("no commitment");
    out.commits.push_back(*commit);
  }
  return out;
}

}  // namespace

std::string seat_id(std::int64_t seat) {
  return "seat-" + std::to_string(seat);
}

const Panel::Counted& Panel::counted() const {
  return or_empty(counted_);
}
const Panel::Ahead& Panel::ahead() const {
  return or_empty(ahead_);
}
const PanelGuests& Panel::guests() const {
  return or_empty(guests_);
}

std::uint32_t Panel::next_t(const Bytes& key) const {
  const auto known = counted().find(key);
  return known == counted().end() ? 1 : known->second.t + 1;
}

std::optional<std::string> Panel::owner_of(const Bytes& key) const {
  const auto known = counted().find(key);
  return known == counted().end() ? std::nullopt : std::optional(known->second.id);
}

std::uint32_t Panel::left_of(const CommittedAhead& one) const {
  const auto next = next_t(one.key);
  return one.end() > next ? one.end() - next : 0;
}

std::optional<certs::Contributor> Panel::next_of(const std::string& id) const {
  const auto found = ahead().find(id);
  if (found == ahead().end() || left_of(found->second) == 0) return std::nullopt;
  const auto& one = found->second;
  const auto t = next_t(one.key);
  if (t < one.from || owner_of(one.key).value_or(id) != id) return std::nullopt;
  return certs::Contributor{id, one.key, t, one.commits[t - one.from]};
}

void Panel::called(const std::vector<certs::Contributor>& others) {
  if (others.empty()) return;
  Counted next = counted();
  for (const auto& one : others) next[one.key] = {one.id, one.t};
  take_counted(std::move(next));
}

void Panel::lapsed(const std::vector<certs::Contributor>& others) {
  if (others.empty()) return;
  Counted next = counted();
  for (const auto& one : others) {
    const auto known = next.find(one.key);
    const bool on = known == next.end()
                        ? one.t == 1
                        : known->second.id == one.id && one.t == known->second.t + std::uint64_t{1};
    if (on) next[one.key] = {one.id, one.t};
  }
  take_counted(std::move(next));
}

void Panel::take_counted(Counted counted) {
  counted_ = std::make_shared<const Counted>(std::move(counted));
}

void Panel::invite(std::int64_t seat, const std::optional<Digest>& token) {
  PanelGuests next = guests();
  if (token) {
    next.tokens[seat] = *token;
  } else {
    next.tokens.erase(seat);
  }
  guests_ = std::make_shared<const PanelGuests>(std::move(next));
}

void Panel::commit(const std::string& id, CommittedAhead one) {
  const auto next = next_t(one.key);
  const auto keep = next > spent_kept ? next - spent_kept : 1;
  if (keep > one.from) {
    const auto spent = std::min<std::size_t>(keep - one.from, one.commits.size());
    one.commits.erase(one.commits.begin(),
                      one.commits.begin() + static_cast<std::ptrdiff_t>(spent));
    one.from += static_cast<std::uint32_t>(spent);
  }
  Ahead all = ahead();
  all[id] = std::move(one);
  ahead_ = std::make_shared<const Ahead>(std::move(all));
}

void Panel::leave(const std::string& id) {
  Ahead all = ahead();
  if (all.erase(id) > 0) ahead_ = std::make_shared<const Ahead>(std::move(all));
}

void Panel::admit(const std::string& client) {
  if (guests().clients.contains(client)) return;
  PanelGuests known = guests();
  known.clients.insert(client);
  guests_ = std::make_shared<const PanelGuests>(std::move(known));
}

std::string Panel::document() const {
  if (!ahead_ && !guests_) return {};
  json::Object tokens;
  for (const auto& [seat, token] : guests().tokens) tokens[std::to_string(seat)] = to_hex(token);
  json::Array committed;
  for (const auto& [id, one] : ahead()) {
    json::Array commits;
    for (const auto& commit : one.commits) commits.emplace_back(to_hex(commit));
    committed.emplace_back(json::Object{{"id", id},
                                        {"key", to_base64(one.key)},
                                        {"from", one.from},
                                        {"commits", std::move(commits)}});
  }
  json::Array clients;
  for (const auto& one : guests().clients) clients.emplace_back(one);
  return json::canonical(json::Value(json::Object{{"invited", std::move(tokens)},
                                                  {"clients", std::move(clients)},
                                                  {"committed", std::move(committed)}}));
}

Status Panel::take_document(const std::string& text) {
  TALLA_TRY(const auto value, json::parse(text));
  json::Reader reader(value, "contributors");
  TALLA_TRY(const auto* invited, reader.object("invited"));
  TALLA_TRY(const auto* clients, reader.array("clients"));
  TALLA_TRY(const auto* committed, reader.array("committed"));
  TALLA_TRY_STATUS(reader.finish());
  for (const auto& [seat, token] : invited->object()) {
    const auto number = certs::object_seq("seat", "seat-" + seat);
    const auto digest = token.is_string() ? digest_from_hex(token.string()) : digest_from_hex("");
    if (!number || !digest) return damaged_panel("no invitation");
    invite(static_cast<std::int64_t>(*number), *digest);
  }
  for (const auto& client : *clients) {
    if (!client.is_string()) return damaged_panel("no client");
    admit(client.string());
  }
  for (const auto& item : *committed) {
    json::Reader one(item, "commitments");
    TALLA_TRY(const auto id, one.string("id"));
    TALLA_TRY(auto ahead, read_ahead(one));
    TALLA_TRY_STATUS(one.finish());
    commit(id, std::move(ahead));
  }
  return {};
}

json::Array Panel::counted_json() const {
  json::Array out;
  for (const auto& [key, one] : counted())
    out.emplace_back(json::Object{{"key", to_base64(key)}, {"id", one.id}, {"t", one.t}});
  return out;
}

Status Panel::take_counted_json(const json::Array& from) {
  Counted counted;
  for (const auto& item : from) {
    json::Reader reader(item, "counted key");
    TALLA_TRY(const auto text, reader.string("key"));
    TALLA_TRY(auto key, from_base64(text));
    TALLA_TRY(auto id, reader.string("id"));
    TALLA_TRY(const auto t, reader.integer("t", 1, std::int64_t{UINT32_MAX}));
    TALLA_TRY_STATUS(reader.finish());
    counted[std::move(key)] = {std::move(id), static_cast<std::uint32_t>(t)};
  }
  if (!counted.empty()) take_counted(std::move(counted));
  return {};
}

const CallOpenings& CallUnderWay::opened() const {
  return or_empty(opened_by);
}

void CallUnderWay::take(const std::string& id, const certs::CallOpening& opening) {
  CallOpenings next = opened();
  next.insert_or_assign(id, opening);
  opened_by = std::make_shared<const CallOpenings>(std::move(next));
}

std::vector<certs::CallOpening> opened_by_all(const CallUnderWay& call,
                                              const certs::CallCore& core) {
  std::vector<certs::CallOpening> out;
  for (const auto& one : core.others) {
    const auto found = call.opened().find(one.id);
    TALLA_CHECK(found != call.opened().end());
    out.push_back(found->second);
  }
  return out;
}

std::vector<std::string> missing_of(const CallUnderWay& call, const certs::CallCore& core) {
  std::vector<std::string> out;
  for (const auto& one : core.others) {
    if (!call.opened().contains(one.id)) out.push_back(one.id);
  }
  return out;
}

std::string openings_document(const CallUnderWay& call) {
  json::Array opened;
  for (const auto& [id, one] : call.opened())
    opened.emplace_back(json::Object{
        {"id", id}, {"value", to_hex(one.value)}, {"signature", to_base64(one.signature)}});
  return json::canonical(
      json::Value(json::Object{{"call", call.seq}, {"openings", std::move(opened)}}));
}

Status take_openings(CallUnderWay& call, const std::string& text) {
  TALLA_TRY(const auto value, json::parse(text));
  json::Reader reader(value, "openings");
  TALLA_TRY(const auto seq, reader.integer("call", 0, json::integer_max));
  TALLA_TRY(const auto* openings, reader.array("openings"));
  TALLA_TRY_STATUS(reader.finish());
  if (static_cast<std::uint64_t>(seq) != call.seq) return {};
  for (const auto& item : *openings) {
    json::Reader one(item, "opening");
    TALLA_TRY(const auto id, one.string("id"));
    TALLA_TRY(const auto hex, one.string("value"));
    TALLA_TRY(const auto base64, one.string("signature"));
    TALLA_TRY_STATUS(one.finish());
    const auto number = digest_from_hex(hex);
    const auto signature = from_base64(base64);
    certs::CallOpening opened;
    if (!number || !signature || signature->size() != opened.signature.size())
      return damaged_panel("a damaged opening");
    opened.value = *number;
    std::ranges::copy(*signature, opened.signature.begin());
    call.take(id, opened);
  }
  return {};
}

}  // namespace talla::core
