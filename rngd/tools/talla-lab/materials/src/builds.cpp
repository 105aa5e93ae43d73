// Compares the files of two builds.
#include "lab_materials/builds.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "certs/openssl_hashes.hpp"
#include "software/check.hpp"

namespace talla::lab::materials {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> builds_refusal(const std::string& what) {
  return fail(BuildsErrc::builds_refused, what);
}

/// Device and inode: what says that two names are one file.
Result<std::pair<dev_t, ino_t>> place_of(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return builds_refusal(path + ": cannot be read");
  return std::pair(about.st_dev, about.st_ino);
}

/// What lies at a name: content of a file, or the target of a link.
Result<Bytes> content_at(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return software::read_plain_file(path);
  const std::string target = "link to " + fs::read_symlink(path, error).string();
  return Bytes(target.begin(), target.end());
}

Result<std::set<std::string>> names_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (at->is_symlink() || !at->is_directory())
      names.insert(at->path().lexically_relative(folder).string());
  if (error) return builds_refusal(folder + ": " + error.message());
  if (names.empty()) return builds_refusal(folder + ": no file lies here; a build is expected");
  return names;
}

class BuildPair {
 public:
  explicit BuildPair(const BuildsWish& wish) : wish_(wish) {}

  [[nodiscard]] Result<json::Value> compared() {
    if (wish_.first_by.empty() || wish_.second_by.empty())
      return builds_refusal("it must be said who made each of the two builds");
    TALLA_TRY(const auto first, place_of(wish_.first));
    TALLA_TRY(const auto second, place_of(wish_.second));
    if (first == second) return builds_refusal(wish_.second + ": is the first folder again");
    TALLA_TRY(const auto one, names_in(wish_.first));
    TALLA_TRY(const auto other, names_in(wish_.second));
    for (const std::string& name : one) {
      if (other.contains(name)) {
        TALLA_TRY_STATUS(both(name));
      } else {
        differ(name, "only-first", "is not in the second build");
      }
    }
    for (const std::string& name : other)
      if (!one.contains(name)) differ(name, "only-second", "is not in the first build");
    for (const std::string& program : wish_.programs) {
      TALLA_TRY(const Bytes bytes, software::read_plain_file(program));
      if (!digests_.contains(to_hex(hashes_.sha256({bytes}))))
        differ(program, "not-of-these-builds", "is examined, and no file of both has its bytes");
    }
    return json::Object{{"differences", std::move(differences_)},
                        {"files", std::move(files_)},
                        {"first_by", wish_.first_by},
                        {"second_by", wish_.second_by}};
  }

 private:
  void differ(const std::string& name, const std::string& what, const std::string& words) {
    differences_.emplace_back(json::Object{{"name", name}, {"what", what}, {"words", words}});
  }
  [[nodiscard]] Status both(const std::string& name) {
    const std::string one = wish_.first + "/" + name;
    const std::string other = wish_.second + "/" + name;
    std::error_code error;
    if (!fs::is_symlink(one, error)) {
      TALLA_TRY(const auto first, place_of(one));
      TALLA_TRY(const auto second, place_of(other));
      if (first == second) return builds_refusal(other + ": is the very file of the first build");
    }
    TALLA_TRY(const Bytes left, content_at(one));
    TALLA_TRY(const Bytes right, content_at(other));
    const std::string digest = to_hex(hashes_.sha256({left}));
    if (left == right) {
      digests_.insert(digest);
      files_.emplace_back(json::Object{{"bytes", left.size()}, {"name", name}, {"sha256", digest}});
      return {};
    }
    const auto at = std::ranges::mismatch(left, right).in1 - left.begin();
    differ(name, "differs",
           "first at byte " + std::to_string(at) + "; SHA-256 " + digest + " and " +
               to_hex(hashes_.sha256({right})));
    return {};
  }

  const BuildsWish& wish_;
  certs::OpensslHashes hashes_;
  std::set<std::string> digests_;  // of files that are the same
  json::Array files_, differences_;
};

}  // namespace

std::string_view errc_name(BuildsErrc /*errc*/) {
  return "builds_refused";
}

Result<json::Value> compare_builds(const BuildsWish& wish) {
  return BuildPair(wish).compared();
}

}  // namespace talla::lab::materials
