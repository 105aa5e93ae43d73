#include "software/running.hpp"

#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "file.hpp"

namespace talla::software {
namespace {

constexpr std::string_view deleted_mark = " (deleted)";
constexpr std::size_t block_size = 65536;

/// The sixth field of a line of maps: everything behind the inode.
std::string_view path_field(std::string_view line) {
  for (int field = 0; field < 5; ++field) {
    line.remove_prefix(std::min(line.find(' '), line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  return line;
}

std::string resolved(const char* path) {
  std::array<char, PATH_MAX> out{};
  return ::realpath(path, out.data()) == nullptr ? std::string() : std::string(out.data());
}

bool same_bytes(const File& file, std::uint64_t offset, std::span<const std::uint8_t> memory) {
  std::vector<std::uint8_t> block(block_size);
  while (!memory.empty()) {
    const std::span<std::uint8_t> part(block.data(), std::min(block.size(), memory.size()));
    if (!file.read_at(offset, part) || std::memcmp(part.data(), memory.data(), part.size()) != 0)
      return false;
    offset += part.size();
    memory = memory.subspan(part.size());
  }
  return true;
}

/// One loaded object: its executable segments.
int compare_object(dl_phdr_info* object, std::size_t /*size*/, void* user) {
  auto& findings = *static_cast<std::vector<Finding>*>(user);
  const bool program = object->dlpi_name == nullptr || *object->dlpi_name == '\0';
  const std::string path = resolved(program ? "/proc/self/exe" : object->dlpi_name);
  if (path.empty()) return 0;  // the vdso; a file that is gone has a mapping that says so
  const auto file = File::open(path);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader says a place as a number
    const auto* begin = reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + segment.p_vaddr);
    if (!file || !same_bytes(*file, segment.p_offset, {begin, segment.p_filesz})) {
      findings.push_back({path, found_in_memory});
      return 0;
    }
  }
  return 0;
}

}  // namespace

std::vector<MappedCode> parse_maps(std::string_view maps) {
  std::vector<MappedCode> found;
  while (!maps.empty()) {
    const auto end = std::min(maps.find('\n'), maps.size());
    const auto line = maps.substr(0, end);
    maps.remove_prefix(std::min(end + 1, maps.size()));
    const auto rights = line.find(' ');
    if (rights == std::string_view::npos || line.size() < rights + 5 || line[rights + 3] != 'x')
      continue;
    auto path = path_field(line);
    if (path == "[vdso]" || path == "[vsyscall]") continue;
    MappedCode code;
    code.replaced = path.ends_with(deleted_mark);
    if (code.replaced) path.remove_suffix(deleted_mark.size());
    if (path.starts_with('/')) code.path = path;
    found.push_back(std::move(code));
  }
  std::ranges::sort(found, {},
                    [](const MappedCode& code) { return std::pair(code.path, code.replaced); });
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

Result<std::vector<MappedCode>> mapped_code() {
  std::ifstream file("/proc/self/maps");
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) return fail(Errc::unreadable, "/proc/self/maps cannot be read");
  return parse_maps(text.str());
}

std::vector<Finding> compare_mapped(const Manifest& manifest,
                                    const std::vector<MappedCode>& mapped) {
  std::vector<Finding> findings;
  for (const auto& code : mapped) {
    if (code.path.empty()) {
      findings.push_back({"/proc/self/maps", found_anonymous});
      continue;
    }
    const auto* listed = manifest.find(code.path);
    const bool runs = listed != nullptr &&
                      (listed->kind == FileKind::program || listed->kind == FileKind::library);
    if (!runs) {
      findings.push_back({code.path, found_not_listed});
    } else if (code.replaced) {
      findings.push_back({code.path, found_replaced});
    }
  }
  return findings;
}

std::vector<Finding> compare_memory() {
  std::vector<Finding> findings;
  static_cast<void>(::dl_iterate_phdr(compare_object, &findings));
  return findings;
}

}  // namespace talla::software
