#include "software/make.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "software/check.hpp"
#include "software/output.hpp"

namespace talla::software {
namespace {

/// What is read of an ELF file of 64 bits.
struct ElfFacts {
  std::string interpreter;  ///< empty: static, or no program
  std::string build_id;     ///< hex
};

template <class T>
std::optional<T> part_at(ByteView bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T out{};
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return out;
}

/// The descriptor of NT_GNU_BUILD_ID in a segment of notes.
std::string build_id_in(ByteView notes) {
  constexpr std::string_view owner("GNU\0", 4);
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  for (std::uint64_t at = 0;;) {
    const auto head = part_at<Elf64_Nhdr>(notes, at);
    if (!head) return {};
    const std::uint64_t name = at + sizeof(Elf64_Nhdr);
    const std::uint64_t content = name + padded(head->n_namesz);
    if (content + head->n_descsz > notes.size()) return {};
    if (head->n_type == NT_GNU_BUILD_ID && as_text(notes.subspan(name, head->n_namesz)) == owner)
      return to_hex(notes.subspan(content, head->n_descsz));
    at = content + padded(head->n_descsz);
  }
}

std::optional<ElfFacts> elf_facts(ByteView bytes) {
  const auto head = part_at<Elf64_Ehdr>(bytes, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  ElfFacts facts;
  for (std::uint64_t i = 0; i < head->e_phnum; ++i) {
    const auto segment = part_at<Elf64_Phdr>(bytes, head->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_offset > bytes.size() ||
        segment->p_filesz > bytes.size() - segment->p_offset)
      return std::nullopt;
    const auto content = bytes.subspan(segment->p_offset, segment->p_filesz);
    if (segment->p_type == PT_INTERP)
      facts.interpreter = std::string(as_text(content).substr(0, as_text(content).find('\0')));
    if (segment->p_type == PT_NOTE && facts.build_id.empty()) facts.build_id = build_id_in(content);
  }
  return facts;
}

Result<std::string> without_links(const std::string& path) {
  std::array<char, PATH_MAX> out{};
  if (::realpath(path.c_str(), out.data()) == nullptr)
    return fail(Errc::unreadable,
                path + ": " + std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  return std::string(out.data());
}

/// Standard output of `interpreter --list program`, run without an environment.
Result<std::string> loader_list(const std::string& interpreter, const std::string& program) {
  TALLA_TRY(ProgramOutput said, output_of(interpreter, {"--list", program}));
  if (said.status == 0) return std::move(said.text);
  return fail(Errc::loader_refused, interpreter + " --list " + program + " failed");
}

/// The path of one line: `name => /path (0x...)` or `/path (0x...)`; nothing for the vdso.
Result<std::optional<std::string>> listed_path(std::string_view line) {
  const auto arrow = line.find("=> ");
  auto path = line.substr(arrow == std::string_view::npos
                              ? std::min(line.find_first_not_of(" \t"), line.size())
                              : arrow + 3);
  path = path.substr(0, path.rfind(" ("));
  if (path.starts_with("not found"))
    return fail(Errc::loader_refused, "not found: " + std::string(line.substr(0, arrow)));
  if (!path.starts_with('/')) return std::optional<std::string>();
  return std::optional<std::string>(path);
}

}  // namespace

Result<std::string> build_id_of(const std::string& program) {
  TALLA_TRY(const Bytes bytes, read_plain_file(program));
  const auto facts = elf_facts(bytes);
  return facts ? facts->build_id : std::string();
}

Result<std::vector<std::string>> libraries_of(const std::string& program) {
  TALLA_TRY(const Bytes bytes, read_plain_file(program));
  const auto facts = elf_facts(bytes);
  std::vector<std::string> libraries;
  if (!facts || facts->interpreter.empty()) return libraries;
  TALLA_TRY(const std::string text, loader_list(facts->interpreter, program));
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    TALLA_TRY(const auto path, listed_path(std::string_view(text).substr(at, end - at)));
    at = end + 1;
    if (!path) continue;
    TALLA_TRY(std::string file, without_links(*path));
    libraries.push_back(std::move(file));
  }
  std::ranges::sort(libraries);
  libraries.erase(std::ranges::unique(libraries).begin(), libraries.end());
  return libraries;
}

Result<Manifest> make_manifest(const HashSuite& hashes, const MakeOptions& options) {
  Manifest manifest{.version = options.version, .build = options.build, .files = {}};
  std::map<std::string, FileKind> files;
  for (const auto& [kind, name] : options.files) {
    std::string path = name;
    if (options.root.empty()) {
      TALLA_TRY(path, without_links(name));
    }
    files.emplace(path, kind);
    if (kind != FileKind::program) continue;
    if (manifest.build.empty()) {
      TALLA_TRY(manifest.build, build_id_of(options.root + path));
    }
    if (!options.libraries) continue;
    TALLA_TRY(const auto libraries, libraries_of(options.root + path));
    for (const auto& library : libraries) files.emplace(library, FileKind::library);
  }
  for (const auto& [path, kind] : files) {
    const bool outside = kind == FileKind::library;
    TALLA_TRY(const Bytes content, read_plain_file(outside ? path : options.root + path));
    manifest.files.push_back(
        {.path = path, .size = content.size(), .sha256 = hashes.sha256({content}), .kind = kind});
  }
  TALLA_TRY(const auto text, format_manifest(manifest));
  static_cast<void>(text);
  return manifest;
}

}  // namespace talla::software
