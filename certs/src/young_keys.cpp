#include "young_keys.hpp"

#include <algorithm>
#include <iterator>

#include "base/check.hpp"

namespace talla::certs {

namespace {
constexpr std::size_t known_key_bytes = sizeof(ReplyDigest) + sizeof(std::uint64_t);
}  // namespace

Bytes encode_keys(const std::vector<KnownKey>& keys) {
  ByteWriter writer;
  for (const KnownKey& key : keys) writer.raw(key.id).u64(key.at);
  return writer.take();
}

Result<std::vector<KnownKey>> decode_keys(ByteView bytes) {
  std::vector<KnownKey> keys;
  if (bytes.size() % known_key_bytes != 0)
    return fail(Errc::ledger_damaged, "a block of keys breaks off");
  for (; !bytes.empty(); bytes = bytes.subspan(known_key_bytes)) {
    KnownKey& key = keys.emplace_back();
    std::copy_n(bytes.begin(), key.id.size(), key.id.begin());
    key.at = load_be64(&bytes[key.id.size()]);
  }
  return keys;
}

std::optional<std::uint64_t> YoungKeys::find(const ReplyDigest& id) const {
  const std::scoped_lock lock(mutex_);
  for (const Set* set : {&filling_, &merging_}) {
    if (const auto found = set->find(id); found != set->end()) return found->second;
  }
  return std::nullopt;
}

std::vector<std::uint64_t> YoungKeys::between(const ReplyDigest& first,
                                              const ReplyDigest& last) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint64_t> found;
  for (const Set* set : {&filling_, &merging_}) {
    const auto end = set->upper_bound(last);
    for (auto at = set->lower_bound(first); at != end; ++at) found.push_back(at->second);
  }
  return found;
}

Status YoungKeys::add(const std::vector<KnownKey>& keys, std::uint64_t block) {
  const std::scoped_lock lock(mutex_);
  TALLA_CHECK(block > last_block_);
  for (const KnownKey& key : keys) {
    if (!filling_.emplace(key.id, key.at).second)
      return fail(Errc::ledger_damaged, "a key was given twice");
  }
  last_block_ = block;
  if (filling_.size() >= room_ && merging_.empty()) turn_over();
  return {};
}

void YoungKeys::turn_over() {
  merging_.swap(filling_);
  merging_block_ = last_block_;
}

std::vector<KnownKey> YoungKeys::due(std::size_t count) const {
  const std::scoped_lock lock(mutex_);
  std::vector<KnownKey> keys;
  for (auto at = merging_.begin(); at != merging_.end() && keys.size() < count; ++at) {
    keys.push_back({at->first, at->second});
  }
  return keys;
}

void YoungKeys::merged(std::size_t count) {
  if (count == 0) return;
  const std::scoped_lock lock(mutex_);
  TALLA_CHECK(count <= merging_.size());
  merging_.erase(merging_.begin(), std::next(merging_.begin(), static_cast<std::ptrdiff_t>(count)));
  if (!merging_.empty()) return;
  merged_to_ = merging_block_;
  if (filling_.size() >= room_) turn_over();
}

}  // namespace talla::certs
