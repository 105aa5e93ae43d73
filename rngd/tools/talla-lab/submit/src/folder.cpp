// Files of a run with their digests, and what steps say of themselves.
#include "folder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "certs/openssl_hashes.hpp"

namespace talla::lab::submit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t content_bytes_most = std::uint64_t{256} << 20U;

/// A plain file in memory, opened without following a link.
class PlainFile {
 public:
  explicit PlainFile(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about {};
    if (descriptor >= 0 && ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
      size_ = static_cast<std::size_t>(about.st_size);
      good_ = size_ == 0;
      if (!good_) {
        memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        good_ = memory_ != MAP_FAILED;
      }
    }
    if (descriptor >= 0) static_cast<void>(::close(descriptor));
  }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile() {
    if (good_ && size_ != 0) static_cast<void>(::munmap(memory_, size_));
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] ByteView bytes() const {
    return size_ == 0 ? ByteView() : ByteView(static_cast<const std::uint8_t*>(memory_), size_);
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  bool good_ = false;
};

tl::unexpected<Error> unreadable(const std::string& path) {
  return fail(SubmitErrc::submit_refused, path + ": is not there, or no plain file");
}

}  // namespace

Result<FileFact> file_fact(const std::string& path, std::string name) {
  const PlainFile file(path);
  if (!file.good()) return unreadable(path);
  const certs::OpensslHashes hashes;
  return FileFact{std::move(name), file.bytes().size(), hashes.sha256({file.bytes()})};
}

Result<std::vector<FileFact>> files_below(const std::string& folder,
                                          const std::vector<std::string>& without) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_directory() && !at->is_symlink()) continue;
    std::string name = fs::path(at->path()).lexically_relative(folder).string();
    if (std::ranges::find(without, name) == without.end()) names.push_back(std::move(name));
  }
  if (error) return fail(SubmitErrc::submit_refused, folder + ": " + error.message());
  std::ranges::sort(names);
  std::vector<FileFact> out;
  for (const std::string& name : names) {
    TALLA_TRY(auto fact, file_fact(folder + "/" + name, name));
    out.push_back(std::move(fact));
  }
  return out;
}

json::Array fact_list(const std::vector<FileFact>& files) {
  json::Array out;
  for (const FileFact& one : files)
    out.emplace_back(
        json::Object{{"bytes", one.bytes}, {"name", one.name}, {"sha256", to_hex(one.sha256)}});
  return out;
}

std::optional<std::vector<FileFact>> facts_from(const json::Value* list) {
  if (list == nullptr || !list->is_array()) return {};
  std::vector<FileFact> out;
  for (const json::Value& one : list->array()) {
    const json::Value* bytes = one.find("bytes");
    const auto digest = digest_from_hex(text_of(one, "sha256"));
    if (bytes == nullptr || !bytes->is_integer() || bytes->integer() < 0 || !digest) return {};
    out.push_back({text_of(one, "name"), static_cast<std::uint64_t>(bytes->integer()), *digest});
  }
  return out;
}

Result<Digest> input_digest(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    TALLA_TRY(const auto files, files_below(path, {}));
    return result_of(files);
  }
  const std::string plain = fs::weakly_canonical(path, error).string();
  TALLA_TRY(const FileFact fact, file_fact(error ? path : plain, path));
  return fact.sha256;
}

Digest digest_of_text(std::string_view text) {
  const certs::OpensslHashes hashes;
  return hashes.sha256({as_bytes(text)});
}

Digest digest_of(const json::Value& value) {
  return digest_of_text(json::canonical(value));
}

Result<std::string> content_of(const std::string& path) {
  const PlainFile file(path);
  if (!file.good()) return unreadable(path);
  if (file.bytes().size() > content_bytes_most)
    return fail(SubmitErrc::submit_refused, path + ": more than 256 MiB");
  return std::string(as_text(file.bytes()));
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::not_passed:
      return "not-passed";
    case Verdict::more_data:
      return "more-data";
    case Verdict::failed:
      break;
  }
  return "failed";
}

Verdict verdict_of(const Step& step, const std::vector<int>& exits) {
  constexpr int refused = 1;
  constexpr int not_consistent = 3;
  constexpr int more_data = 4;
  if (exits.size() != step.commands.size()) return Verdict::failed;
  Verdict verdict = Verdict::passed;
  for (std::size_t i = 0; i < exits.size(); ++i) {
    const Command& command = step.commands[i];
    const bool client = command.program == "talla";  // its 1 says: refused, not as it is said
    if (exits[i] == 0) continue;
    if (client ? exits[i] != refused : exits[i] != not_consistent && exits[i] != more_data)
      return Verdict::failed;
    if (command.informs) continue;
    const Verdict one = exits[i] == more_data ? Verdict::more_data : Verdict::not_passed;
    if (verdict != Verdict::not_passed) verdict = one;
  }
  return verdict;
}

json::Array command_list(const Step& step) {
  json::Array out;
  for (const Command& command : step.commands) {
    json::Array arguments;
    for (const std::string& one : command.arguments) arguments.emplace_back(one);
    json::Object object{{"arguments", std::move(arguments)}, {"program", command.program}};
    if (!command.out.empty()) object.emplace("out", command.out);
    if (command.informs) object.emplace("informs", true);
    out.emplace_back(std::move(object));
  }
  return out;
}

Digest key_of(const Step& step, const json::Value& programs, const json::Value& inputs,
              const json::Value& needs) {
  return digest_of(json::Object{{"commands", command_list(step)},
                                {"inputs", inputs},
                                {"needs", needs},
                                {"programs", programs},
                                {"step", step.id()}});
}

Digest result_of(const std::vector<FileFact>& outputs) {
  return digest_of(fact_list(outputs));
}

std::optional<json::Value> step_record(const std::string& folder) {
  const auto text = content_of(folder + "/" + step_file);
  if (!text || text->empty() || text->back() != '\n') return {};
  auto parsed = json::parse_canonical(std::string_view(*text).substr(0, text->size() - 1));
  if (!parsed || !parsed->is_object()) return {};
  return std::move(*parsed);
}

std::string text_of(const json::Value& value, std::string_view key) {
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_string() ? found->string() : std::string();
}

const json::Array& list_of(const json::Value& value, std::string_view key) {
  static const json::Array none;
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_array() ? found->array() : none;
}

std::vector<int> exits_of(const json::Value& record) {
  std::vector<int> out;
  for (const json::Value& one : list_of(record, "exits"))
    out.push_back(one.is_integer() ? static_cast<int>(one.integer()) : -1);
  return out;
}

}  // namespace talla::lab::submit
