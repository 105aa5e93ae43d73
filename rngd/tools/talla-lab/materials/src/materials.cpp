// Writes the bill of materials as CycloneDX has it, and reads its files again.
#include "lab_materials/materials.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "built_with.hpp"
#include "certs/openssl_hashes.hpp"
#include "debian.hpp"
#include "games/catalogue.hpp"
#include "software/check.hpp"
#include "software/make.hpp"
#include "tracker.hpp"

namespace talla::lab::materials {
namespace {

const char* const our_licence = "Apache-2.0";

json::Value property(const std::string& name, const std::string& value) {
  return json::Object{{"name", "talla:" + name}, {"value", value}};
}
json::Array hash_list(const std::string& sha256) {
  return {json::Object{{"alg", "SHA-256"}, {"content", sha256}}};
}
json::Array licence_list(const Licences& licences) {
  json::Array out;
  const auto add = [&out](const std::string& key, const std::string& text) {
    out.emplace_back(
        json::Object{{"license", json::Object{{"acknowledgement", "declared"}, {key, text}}}});
  };
  for (const std::string& name : licences.names) {
    const std::string id = spdx_of(name);
    add(id.empty() ? "name" : "id", id.empty() ? name : id);
  }
  if (licences.names.empty()) add("name", "unknown: " + licences.why);
  return out;
}
std::string purl_of(const Package& package) {
  std::string version;
  for (const char c : package.version) {
    version += c == '+' ? "%2B" : c == ':' ? "%3A" : c == '~' ? "~" : std::string(1, c);
  }
  return "pkg:deb/debian/" + package.name + "@" + version + "?arch=" + package.architecture;
}

/// Names of the packages that a source is built with, as debian/control has them.
std::vector<std::string> build_depends() {
  std::vector<std::string> out;
  const std::string list = field_of(built_control, "Build-Depends");
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::size_t begin = list.find_first_not_of(" \n\t", at);
    if (begin < end)
      out.push_back(list.substr(begin, std::min(list.find_first_of(" ,(\n", begin), end) - begin));
    at = end + 1;
  }
  std::ranges::sort(out);
  return out;
}

std::string release_of(const std::string& root) {
  const auto bytes = software::read_plain_file(root + "/usr/lib/os-release");
  const std::string text = bytes ? std::string(as_text(*bytes)) : std::string();
  constexpr std::string_view key = "VERSION_CODENAME=";
  std::size_t at = text.find(key);
  if (at == std::string::npos) return "unknown";
  at += key.size();
  return text.substr(at, text.find('\n', at) - at);
}

class Bill {
 public:
  explicit Bill(const MaterialsWish& wish)
      : wish_(wish), packages_(wish.root), programs_(wish.programs) {
    if (programs_.empty())
      programs_ = {"/usr/sbin/rngd", "/usr/sbin/rngd-source", "/usr/bin/talla"};
  }

  [[nodiscard]] Result<json::Value> made() {
    for (const std::string& program : programs_) TALLA_TRY_STATUS(read_program(program));
    owners_ = packages_.owners_of(libraries_);
    TALLA_TRY_STATUS(add_programs());
    TALLA_TRY_STATUS(add_libraries());
    add_catalogues();
    add_tools();
    TALLA_TRY_STATUS(add_weaknesses());
    return whole();
  }

 private:
  [[nodiscard]] Status read_program(const std::string& path) {
    std::error_code error;
    const std::string plain = std::filesystem::canonical(path, error).string();
    if (error)
      return fail(MaterialsErrc::materials_refused,
                  path + ": " + error.message() + "; a program that is installed here is expected");
    TALLA_TRY(loads_[plain], software::libraries_of(plain));
    libraries_.insert(loads_[plain].begin(), loads_[plain].end());
    return {};
  }
  [[nodiscard]] Result<std::string> digest_at(const std::string& path) const {
    TALLA_TRY(const Bytes bytes, software::read_plain_file(path));
    return to_hex(hashes_.sha256({bytes}));
  }
  [[nodiscard]] Status add_programs() {
    for (const auto& [path, loads] : loads_) {
      TALLA_TRY(const std::string digest, digest_at(path));
      TALLA_TRY(const std::string build, software::build_id_of(path));
      json::Array properties{property("use", "program that is examined")};
      if (!build.empty()) properties.push_back(property("build-id", build));
      components_.emplace_back(json::Object{{"bom-ref", "file:" + path},
                                            {"hashes", hash_list(digest)},
                                            {"licenses", licence_list({{our_licence}, {}})},
                                            {"name", path},
                                            {"properties", std::move(properties)},
                                            {"scope", "required"},
                                            {"type", "application"}});
      std::set<std::string> refs;
      for (const std::string& library : loads) refs.insert(ref_of(library));
      add_dependency("file:" + path, refs);
      ours_.insert("file:" + path);
    }
    return {};
  }
  [[nodiscard]] std::string ref_of(const std::string& library) const {
    const auto owner = owners_.find(library);
    return owner == owners_.end() ? "file:" + library : purl_of(*packages_.find(owner->second));
  }
  [[nodiscard]] Status add_libraries() {
    std::map<std::string, std::vector<std::string>> of_package;
    for (const std::string& library : libraries_) {
      const auto owner = owners_.find(library);
      if (owner != owners_.end()) {
        of_package[owner->second].push_back(library);
        continue;
      }
      TALLA_TRY(const std::string digest, digest_at(library));
      components_.emplace_back(
          json::Object{{"bom-ref", "file:" + library},
                       {"hashes", hash_list(digest)},
                       {"licenses", licence_list({{}, "no package of this machine has the file"})},
                       {"name", library},
                       {"properties", json::Array{property("use", "library of no package")}},
                       {"scope", "required"},
                       {"type", "library"}});
    }
    for (const auto& [name, files] : of_package) {
      const Package& package = *packages_.find(name);
      json::Array parts;
      for (const std::string& file : files) {
        TALLA_TRY(const std::string digest, digest_at(file));
        parts.emplace_back(json::Object{{"bom-ref", "file:" + file},
                                        {"hashes", hash_list(digest)},
                                        {"name", file},
                                        {"type", "file"}});
      }
      auto component = package_component(package, "library that programs load", "required");
      component.emplace("components", std::move(parts));
      component.emplace("bom-ref", purl_of(package));
      components_.emplace_back(std::move(component));
      sources_.emplace_back(package.source, package.version);
      refs_of_source_[package.source].insert(purl_of(package));
    }
    return {};
  }
  [[nodiscard]] json::Object package_component(const Package& package, const std::string& use,
                                               const std::string& scope) const {
    return {{"licenses", licence_list(licences_of(wish_.root, package.name))},
            {"name", package.name},
            {"properties",
             json::Array{property("source-package", package.source), property("use", use)}},
            {"purl", purl_of(package)},
            {"scope", scope},
            {"type", "library"},
            {"version", package.version}};
  }
  void add_catalogues() {
    for (const auto& one : games::embedded_catalogues())
      components_.emplace_back(json::Object{
          {"bom-ref", "catalogue:" + std::string(one.id)},
          {"hashes", hash_list(to_hex(hashes_.sha256({one.bytes})))},
          {"name", std::string(one.id)},
          {"properties", json::Array{property("use", "catalogue inside the programs")}},
          {"type", "data"}});
  }
  /// What it was built with: headers that are compiled in, and tools that leave nothing in it.
  void add_tools() {
    for (const std::string& name : build_depends()) {
      const bool compiled_in = name.ends_with("-dev");
      const std::string use = compiled_in ? "compiled into the programs" : "build-time tool";
      const std::string scope = compiled_in ? "required" : "excluded";
      if (const Package* package = packages_.find(name)) {
        auto component = package_component(*package, use, scope);
        component.emplace("bom-ref", "build:" + name);
        components_.emplace_back(std::move(component));
        continue;
      }
      components_.emplace_back(
          json::Object{{"bom-ref", "build:" + name},
                       {"name", name},
                       {"properties",
                        json::Array{property("use", use),
                                    property("version", "unknown: not installed on this machine")}},
                       {"scope", scope},
                       {"type", "library"}});
    }
    components_.emplace_back(
        json::Object{{"bom-ref", "build:compiler"},
                     {"name", std::string(built_compiler) + " C++ compiler"},
                     {"properties", json::Array{property("use", "build-time tool")}},
                     {"scope", "excluded"},
                     {"type", "application"},
                     {"version", built_compiler_version}});
  }
  [[nodiscard]] Status add_weaknesses() {
    if (wish_.tracker.empty()) {
      looked_up_ = "not looked up: no file of Debian's tracker was given";
      return {};
    }
    const std::string release = release_of(wish_.root);
    TALLA_TRY(const auto found, weaknesses_of({wish_.tracker, release, sources_}));
    TALLA_TRY(const std::string digest, digest_at(wish_.tracker));
    looked_up_ = "Debian's tracker, release " + release + ", file with SHA-256 " + digest;
    std::set<std::string> seen;
    for (const Weakness& one : found) {
      if (!seen.insert(one.source + " " + one.id).second) continue;
      json::Array affects;
      for (const std::string& ref : refs_of_source_[one.source])
        affects.emplace_back(json::Object{{"ref", ref}});
      weaknesses_.emplace_back(json::Object{
          {"affects", std::move(affects)},
          {"bom-ref", one.source + " " + one.id},
          {"description", one.description},
          {"id", one.id},
          {"properties", json::Array{property("status", one.status)}},
          {"source",
           json::Object{{"name", "Debian security tracker"},
                        {"url", "https://security-tracker.debian.org/tracker/" + one.id}}}});
    }
    return {};
  }
  void add_dependency(const std::string& ref, const std::set<std::string>& refs) {
    json::Array list;
    for (const std::string& one : refs) list.emplace_back(one);
    dependencies_.emplace_back(json::Object{{"dependsOn", std::move(list)}, {"ref", ref}});
  }
  [[nodiscard]] json::Value whole() {
    add_dependency("talla", ours_);
    json::Object bill{
        {"bomFormat", "CycloneDX"},
        {"components", std::move(components_)},
        {"dependencies", std::move(dependencies_)},
        {"metadata",
         json::Object{{"component", json::Object{{"bom-ref", "talla"},
                                                 {"licenses", licence_list({{our_licence}, {}})},
                                                 {"name", "talla"},
                                                 {"type", "application"},
                                                 {"version", TALLA_VERSION}}},
                      {"properties", json::Array{property("vulnerabilities", looked_up_)}}}},
        {"specVersion", "1.6"},
        {"version", 1}};
    if (!wish_.tracker.empty()) bill.emplace("vulnerabilities", std::move(weaknesses_));
    // Its number follows from what is in it: a UUID of version 8 (RFC 9562).
    const json::Value unnumbered{bill};
    const std::string text = json::canonical(unnumbered);
    std::string hex = to_hex(hashes_.sha256({as_bytes(text)}));
    hex[12] = '8';
    hex[16] = 'a';
    bill.emplace("serialNumber", "urn:uuid:" + hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" +
                                     hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" +
                                     hex.substr(20, 12));
    return bill;
  }

  const MaterialsWish& wish_;
  certs::OpensslHashes hashes_;
  Packages packages_;
  std::vector<std::string> programs_;
  std::map<std::string, std::vector<std::string>> loads_;  // of each program, its libraries
  std::set<std::string> libraries_;
  std::map<std::string, std::string> owners_;  // of each library, its package
  std::vector<std::pair<std::string, std::string>> sources_;
  std::map<std::string, std::set<std::string>> refs_of_source_;
  std::set<std::string> ours_;
  std::string looked_up_;
  json::Array components_, dependencies_, weaknesses_;
};

const json::Array& array_at(const json::Value& value, std::string_view key) {
  static const json::Array none;
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_array() ? found->array() : none;
}
std::string text_at(const json::Value& value, std::string_view key) {
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_string() ? found->string() : std::string();
}

}  // namespace

std::string_view errc_name(MaterialsErrc /*errc*/) {
  return "materials_refused";
}

Result<json::Value> materials_of(const MaterialsWish& wish) {
  return Bill(wish).made();
}

MaterialsCounts counts_of(const json::Value& bill) {
  MaterialsCounts counts;
  counts.vulnerabilities = array_at(bill, "vulnerabilities").size();
  for (const json::Value& one : array_at(bill, "components")) {
    if (!array_at(one, "hashes").empty()) ++counts.files;
    counts.files += array_at(one, "components").size();
    if (!array_at(one, "components").empty()) ++counts.packages;
    for (const json::Value& licence : array_at(one, "licenses")) {
      const json::Value* named = licence.find("license");
      if (named != nullptr && text_at(*named, "name").starts_with("unknown: "))
        ++counts.unknown_licences;
    }
  }
  return counts;
}

std::vector<MaterialsFile> files_of(const json::Value& bill) {
  std::vector<MaterialsFile> out;
  const auto take = [&out](const json::Value& component, const std::string& package) {
    const json::Array& hashes = array_at(component, "hashes");
    const std::string path = text_at(component, "name");
    if (!path.starts_with('/') || hashes.empty()) return;
    out.push_back({path, text_at(hashes.front(), "content"), package});
  };
  for (const json::Value& one : array_at(bill, "components")) {
    take(one, "");
    for (const json::Value& file : array_at(one, "components"))
      take(file, text_at(one, "name") + " " + text_at(one, "version"));
  }
  std::ranges::sort(out, {}, &MaterialsFile::path);
  return out;
}

std::vector<MaterialsFile> changed_of(const json::Value& bill) {
  const certs::OpensslHashes hashes;
  std::vector<MaterialsFile> out;
  for (MaterialsFile& one : files_of(bill)) {
    const auto bytes = software::read_plain_file(one.path);
    if (bytes && to_hex(hashes.sha256({*bytes})) != one.sha256) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace talla::lab::materials
