// Runs the known answers of a start and says by which files they were computed.
#include "known_answers.hpp"

#include <algorithm>
#include <filesystem>

#include "base/bytes.hpp"
#include "certs/known_answers.hpp"
#include "certs/openssl_hashes.hpp"
#include "entropy/start_tests.hpp"
#include "software/make.hpp"
#include "software/running.hpp"

namespace talla::rngd {
namespace {

struct Tests {
  json::Array tests;
  json::Array failures;

  void add(std::string_view algorithm, std::string_view mode, std::string_view standard,
           const Status& status) {
    tests.emplace_back(json::Object{{"algorithm", algorithm},
                                    {"mode", mode},
                                    {"result", status ? "passed" : "failed"},
                                    {"standard", standard}});
    if (!status)
      failures.emplace_back(json::Object{{"algorithm", algorithm}, {"why", status.error().text()}});
  }
};

/// Every file whose code is mapped into this process now, with its digest.
Result<software::Manifest> code_of_process() {
  software::MakeOptions wish{
      .version = TALLA_VERSION, .build = "running", .root = {}, .files = {}, .libraries = false};
  TALLA_TRY(const auto mapped, software::mapped_code());
  for (const software::MappedCode& one : mapped)
    if (!one.path.empty() && !one.replaced)
      wish.files.emplace_back(software::FileKind::library, one.path);
  return software::make_manifest(certs::OpensslHashes(), wish);
}

}  // namespace

Result<KnownAnswers> ask_known_answers() {
  Tests all;
  for (const entropy::StartTest& one : entropy::start_tests(entropy::GeneratorOptions{}.drbg))
    all.add(one.algorithm, one.mode, one.standard, one.run());
  for (const certs::KnownAnswer& one : certs::known_answers())
    all.add(one.algorithm, one.mode, one.standard, certs::check_known_answer(one));
  TALLA_TRY(const software::Manifest code, code_of_process());
  json::Array modules;
  std::string module;
  for (const software::ManifestFile& file : code.files) {
    const std::string digest = to_hex(file.sha256);
    modules.emplace_back(json::Object{{"path", file.path}, {"sha256", digest}});
    if (std::filesystem::path(file.path).filename().string().starts_with("libcrypto.so"))
      module = digest;
  }
  for (json::Value& one : all.tests) one["module"] = module;
  KnownAnswers out;
  out.passed = all.failures.empty();
  out.told = json::Object{{"failures", std::move(all.failures)},
                          {"kind", "talla known answers"},
                          {"modules", std::move(modules)},
                          {"program", "rngd " TALLA_VERSION},
                          {"tests", std::move(all.tests)}};
  return out;
}

}  // namespace talla::rngd
