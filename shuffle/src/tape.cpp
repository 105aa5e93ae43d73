#include "shuffle/tape.hpp"

#include <limits>
#include <string>
#include <utility>

#include "base/check.hpp"

namespace talla::shuffle {
namespace {

constexpr std::string_view domain = "talla/v1/";
constexpr std::size_t blocks_reserved_bytes = 256;

/// Appends to a buffer of secrets without leaving a copy behind when it grows.
void append_wiping(std::vector<std::uint8_t>& buffer, ByteView bytes) {
  if (buffer.capacity() - buffer.size() < bytes.size()) {
    std::vector<std::uint8_t> larger;
    larger.reserve(2 * buffer.capacity() + blocks_reserved_bytes);
    larger.assign(buffer.begin(), buffer.end());
    wipe(buffer.data(), buffer.size());
    buffer.swap(larger);
  }
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
}

}  // namespace

Tape Tape::borrowed(ByteView bytes) {
  Tape tape;
  tape.window_ = {bytes.data(), 0, bytes.size()};
  return tape;
}

Tape Tape::from_hmac(std::unique_ptr<HmacKey> key, std::string_view purpose,
                     std::span<const ByteView> inputs) {
  TALLA_CHECK(key != nullptr);
  TALLA_CHECK(!purpose.empty());
  TALLA_CHECK(purpose.find('\0') == std::string_view::npos);
  Tape tape;
  tape.key_ = std::move(key);
  tape.prefix_ = ByteWriter().raw(domain).raw(purpose).u8(0).take();
  ByteWriter fields;
  for (const ByteView input : inputs) fields.field(input);
  tape.fields_ = fields.take();
  return tape;
}

Tape Tape::from_hmac(const HashSuite& hashes, ByteView key, std::string_view purpose,
                     std::initializer_list<ByteView> inputs) {
  return from_hmac(hashes.hmac_key(key), purpose,
                   std::span<const ByteView>(inputs.begin(), inputs.size()));
}

Tape::Tape(Tape&& other) noexcept
    : window_(std::exchange(other.window_, {})),
      words_rejected_(std::exchange(other.words_rejected_, 0)),
      key_(std::move(other.key_)),
      prefix_(std::move(other.prefix_)),
      fields_(std::move(other.fields_)),
      blocks_(std::move(other.blocks_)),
      blocks_count_(std::exchange(other.blocks_count_, 0)),
      failed_(std::move(other.failed_)) {}

Tape::~Tape() {
  wipe(blocks_.data(), blocks_.size());
}

bool Tape::reject(unsigned redraws) noexcept {
  ++words_rejected_;
  if (redraws < redraws_max) return true;
  failed_.emplace(Errc::generator_fault, "a word was refused more often than chance allows");
  window_.ready = window_.position;
  return false;
}

Status Tape::status() const {
  if (failed_) return tl::unexpected<Error>(*failed_);
  return {};
}

Digest Tape::consumed_digest(const HashSuite& hashes) const {
  return hashes.sha256({consumed()});
}

bool Tape::more() noexcept {
  if (failed_) return false;
  if (key_ && blocks_count_ <= std::numeric_limits<std::uint32_t>::max()) {
    next_block();
    return true;
  }
  failed_.emplace(Errc::tape_exhausted,
                  "no word after " + std::to_string(words_used()) + " words");
  window_.ready = window_.position;
  return false;
}

void Tape::next_block() {
  const auto block = ByteWriter().u32(static_cast<std::uint32_t>(blocks_count_)).take();
  Digest mac = key_->mac({prefix_, block, fields_});
  append_wiping(blocks_, mac);
  wipe(mac.data(), mac.size());
  ++blocks_count_;
  window_.data = blocks_.data();
  window_.ready = blocks_.size();
}

}  // namespace talla::shuffle
