// talla-lab certify: what laboratories and regulators say of an appliance, signed.
#include "certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "base/clock.hpp"
#include "certs/certification.hpp"
#include "certs/files.hpp"
#include "software/manifest.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/certified.hpp"

namespace talla::lab {
namespace {

unsigned digits_at(const std::string& text, std::size_t at, std::size_t count, bool& good) {
  unsigned value = 0;
  const char* end = text.data() + at + count;
  const auto parsed = std::from_chars(text.data() + at, end, value);
  good = good && parsed.ec == std::errc{} && parsed.ptr == end;
  return value;
}

/// As every verifier judges it: chain, name, what the key is for, signature.
Status judge(const CertifyOptions& options, const certs::SignedCertification& file) {
  if (options.root.empty()) return {};
  TALLA_TRY(const std::string roots, certs::read_file(options.root));
  TALLA_TRY(const auto kind, certs::certification_kind_of(file.statement));
  const certs::BotanHashes hashes;
  const std::vector<std::string> withdrawals{certs::format_certification_file(file)};
  const certs::CertificationTrust trust{
      .type_roots = roots, .installation_roots = roots, .more = {}, .withdrawals = withdrawals};
  if (kind == certs::CertificationKind::withdrawal) {
    TALLA_TRY([[maybe_unused]] const auto judged,
              certs::Certifications::judge(hashes, {}, trust, {}));
    return {};
  }
  const certs::CertificationTrust plain{.type_roots = roots, .installation_roots = roots};
  TALLA_TRY(const auto judged, certs::Certifications::judge(hashes, {&file, 1}, plain, {}));
  if (judged.faults().empty()) return {};
  return tl::unexpected<Error>(judged.faults().front().error);
}

}  // namespace

std::string_view errc_name(CertifyErrc errc) {
  return errc == CertifyErrc::certify_refused ? "certify_refused" : "unknown";
}

void add_certify_options(commandline::Command& command, CertifyOptions& options) {
  command.add_option("--issuer", options.issuer, "who says it, of a-z 0-9 . -: lab.example")
      ->required();
  command.add_option("--number", options.number, "of this text, as the issuer counts")->required();
  command
      .add_option("--key", options.key,
                  "the issuer's key: a PEM file on P-256, or a pkcs11: URI (signs in the token)")
      ->required();
  command
      .add_option("--certificate", options.certificate,
                  "PEM: the key's certificate, then its issuers without the root")
      ->required();
  command.add_option("--root", options.root,
                     "PEM: root of the issuer; what is made is judged under it before it is "
                     "written");
  command.add_option("--out", options.out, "file to write, never overwritten")->required();
}

void add_term_options(commandline::Command& command, CertifyOptions& options) {
  command.add_option("--from", options.from, "first day of its term, UTC: 2026-11-26")->required();
  command.add_option("--until", options.until, "the day on which it counts no more, UTC")
      ->required();
}

Result<std::int64_t> day_us(const std::string& option, const std::string& day) {
  bool good = day.size() == 10 && day[4] == '-' && day[7] == '-';
  unsigned year = 0;
  unsigned month = 0;
  unsigned number = 0;
  if (good) {
    year = digits_at(day, 0, 4, good);
    month = digits_at(day, 5, 2, good);
    number = digits_at(day, 8, 2, good);
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(month), std::chrono::day(number)};
  if (!good || !date.ok() || year < 1970)
    return fail(CertifyErrc::certify_refused, option + " " + day +
                                                  ": a day is expected, "
                                                  "2026-11-26");
  const auto since = std::chrono::sys_days(date).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

Result<certs::CertificationHead> head_of(const CertifyOptions& options) {
  if (!certs::issuer_valid(options.issuer))
    return fail(CertifyErrc::certify_refused,
                "--issuer " + options.issuer + ": 1 to 64 characters a-z 0-9 . - are expected");
  if (!certs::certification_number_valid(options.number))
    return fail(CertifyErrc::certify_refused,
                "--number: 1 to 64 printable ASCII characters are expected");
  SystemClock clock;
  return certs::CertificationHead{
      .issuer = options.issuer, .number = options.number, .made_us = clock.utc_us()};
}

Result<certs::CertificationTerm> term_of(const CertifyOptions& options) {
  certs::CertificationTerm term;
  TALLA_TRY(term.from_us, day_us("--from", options.from));
  TALLA_TRY(term.until_us, day_us("--until", options.until));
  if (term.from_us < term.until_us) return term;
  return fail(CertifyErrc::certify_refused, "--until must be a later day than --from");
}

Result<std::vector<Digest>> digests_of(const std::vector<std::string>& given, DigestOf of) {
  std::vector<Digest> out;
  for (const std::string& one : given) {
    if (const auto hex = digest_from_hex(one)) {
      out.push_back(*hex);
      continue;
    }
    TALLA_TRY(const Digest digest, of(one));
    out.push_back(digest);
  }
  std::ranges::sort(out);
  const auto twice = std::ranges::unique(out);
  out.erase(twice.begin(), twice.end());
  return out;
}

Result<Digest> file_sha256(const std::string& path) {
  TALLA_TRY(const std::string text, certs::read_file(path));
  return certs::OpensslHashes().sha256({as_bytes(text)});
}

Result<Digest> manifest_digest(const std::string& path) {
  TALLA_TRY(const std::string file, certs::read_file(path));
  TALLA_TRY(const std::string text, software::manifest_text(file));
  return certs::OpensslHashes().sha256({as_bytes(text)});
}

Result<Digest> text_digest(const std::string& path) {
  TALLA_TRY(const std::string text, certs::read_file(path));
  TALLA_TRY(const certs::SignedCertification file, certs::parse_certification_file(text));
  return certs::certification_digest(certs::OpensslHashes(), file.statement);
}

Result<Digest> device_digest(const std::string& device) {
  const std::size_t at = device.find(':');
  if (at == std::string::npos || at == 0 || at + 1 == device.size())
    return fail(CertifyErrc::certify_refused, device + ": MODEL:SERIAL is expected");
  return certs::serial_digest(certs::OpensslHashes(), device.substr(0, at), device.substr(at + 1));
}

Result<std::vector<certs::SignedCertification>> certifications_in(
    const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::error_code error;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path, error)) {
      names.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
      if (entry.path().extension() == ".json") names.push_back(entry.path().string());
    }
    if (error) return fail(CertifyErrc::certify_refused, path + ": cannot be read");
  }
  std::ranges::sort(names);
  std::vector<certs::SignedCertification> files;
  for (const std::string& name : names) {
    TALLA_TRY(const std::string text, certs::read_file(name));
    auto file = certs::parse_certification_file(text);
    if (!file) return fail(CertifyErrc::certify_refused, name + ": " + file.error().detail);
    files.push_back(std::move(*file));
  }
  return files;
}

Status sign_and_write(const App& app, const CertifyOptions& options, const std::string& statement) {
  std::error_code error;
  if (std::filesystem::exists(options.out, error))
    return fail(CertifyErrc::certify_refused, options.out + " exists and is never overwritten");
  TALLA_TRY(const auto file, certs::sign_certification(
                                 statement, {.key = options.key, .chain = options.certificate}));
  TALLA_TRY_STATUS(judge(options, file));
  TALLA_TRY_STATUS(certs::create_public_file(options.out, certs::format_certification_file(file)));
  const std::string digest = to_hex(certs::certification_digest(certs::OpensslHashes(), statement));
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"digest", digest}, {"out", options.out}}));
  } else {
    fmt::print("{}\nwritten: {}\ndigest of the text: {}\n", statement, options.out, digest);
  }
  return {};
}

void finish(App& app, const Status& status) {
  if (!status) app.refuse({status.error().text()});
}

void add_certify(commandline::Command& root, App& app) {
  auto& certify = *root.add_subcommand(
      "certify", "say of an appliance what was examined: type, installation, withdrawal");
  certify.require_subcommand();
  add_certify_type(certify, app);
  add_certify_installation(certify, app);
  add_certify_withdraw(certify, app);
  add_certify_looks(certify, app);
}

}  // namespace talla::lab
