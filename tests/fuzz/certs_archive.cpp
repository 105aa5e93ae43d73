// Goal: no file crashes the reader of archives; a header that is read is written back; what is
// whole has the bytes it says.
// Method: the input as an archive, then the same under an end that fits its header, so that more
// than one wrong digest is reached; and the input as a header alone.
#include <algorithm>
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "format/archive.hpp"
#include "verify/botan_hashes.hpp"

namespace {

using namespace talla::certs;  // NOLINT(google-build-using-namespace): the whole file is about it

class Memory final : public ByteSource {
 public:
  explicit Memory(std::string_view text) : text_(text) {}
  talla::Result<std::size_t> read(std::span<std::uint8_t> out) override {
    const std::size_t count = std::min(out.size(), text_.size());
    std::copy_n(text_.begin(), count, out.begin());
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

void check(std::string_view file) {
  const BotanHashes hashes;
  Memory source(file);
  if (const auto facts = check_archive(hashes, source)) {
    TALLA_CHECK(facts->bytes == file.size());
    TALLA_CHECK(facts->header.from < facts->header.to);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = talla::as_text({data, size});
  check(text);
  if (const auto header = parse_archive_header(text))
    TALLA_CHECK(format_archive_header(*header) == text);
  Memory source(text);
  const auto reader = ArchiveReader::open(source);
  if (!reader) return 0;
  std::string end;
  put_archive_entry(end, ArchiveTag::end,
                    talla::as_text(archive_digest(BotanHashes(), reader->header_text())));
  const std::string file =
      std::string(text.substr(0, text.size() - std::min(text.size(), end.size()))) + end;
  check(file);
  return 0;
}
