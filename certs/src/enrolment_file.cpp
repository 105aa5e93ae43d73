#include "certs/enrolment_file.hpp"

#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view block_start = "[[client]]";

Result<CertificateView> client_certificate(const std::string& path) {
  TALLA_TRY(CertificateView view, view_certificate(path));
  if (view.authority) return fail(Errc::key_malformed, path + ": an authority is no client");
  if (view.names.size() != 1)
    return fail(Errc::key_malformed, path + ": a client's certificate has one name, its URI");
  TALLA_TRY_STATUS(check_client_id(view.names.front()));
  return view;
}

/// Where the entry of this id stands: from its [[client]] to the next one or the end.
Result<std::pair<std::size_t, std::size_t>> block_of(const std::string& text, const std::string& id,
                                                     const std::string& path) {
  const std::size_t line = text.find("\nid = \"" + id + "\"\n");
  const std::size_t from = line == std::string::npos ? line : text.rfind(block_start, line);
  if (from == std::string::npos) return fail(Errc::not_found, path + ": no client " + id);
  const std::size_t to = text.find(block_start, from + block_start.size());
  return std::pair(from, to == std::string::npos ? text.size() : to);
}

}  // namespace

Result<std::string> enrol_client(const EnrolOptions& options) {
  TALLA_TRY(const CertificateView view, client_certificate(options.certificate_path));
  const std::string& id = view.names.front();
  TALLA_TRY_STATUS(check_roles(id, options.roles));
  TALLA_TRY(const std::string text,
            enrolment_with(options.enrolment_path,
                           {.id = id, .spki = to_hex(view.spki), .roles = options.roles}));
  if (text.find(to_hex(view.spki)) != text.rfind(to_hex(view.spki))) {
    return fail(Errc::key_exists,
                options.certificate_path + ": another client is enrolled with this key");
  }
  TALLA_TRY_STATUS(replace_file(options.enrolment_path, text));
  return id;
}

Result<std::string> renew_client(const std::string& enrolment_path,
                                 const std::string& certificate_path) {
  TALLA_TRY(const CertificateView view, client_certificate(certificate_path));
  const std::string& id = view.names.front();
  TALLA_TRY(std::string text, read_file(enrolment_path));
  TALLA_TRY(const auto block, block_of(text, id, enrolment_path));
  if (text.find(to_hex(view.spki)) != std::string::npos) {
    return fail(Errc::key_exists,
                certificate_path +
                    ": this key is enrolled already; a certificate for the same key needs nothing");
  }
  const std::size_t line = text.find("\nspki = \"", block.first);
  const std::size_t end = line == std::string::npos ? line : text.find('\n', line + 1);
  if (end == std::string::npos || end > block.second)
    return fail(Errc::key_malformed, enrolment_path + ": client " + id + " has no spki");
  text.replace(line, end - line, "\nspki = \"" + to_hex(view.spki) + "\"");
  TALLA_TRY_STATUS(replace_file(enrolment_path, text));
  return id;
}

Status remove_client(const std::string& enrolment_path, const std::string& id) {
  TALLA_TRY_STATUS(check_client_id(id));
  TALLA_TRY(std::string text, read_file(enrolment_path));
  TALLA_TRY(const auto block, block_of(text, id, enrolment_path));
  text.erase(block.first, block.second - block.first);
  return replace_file(enrolment_path, text);
}

}  // namespace talla::certs
