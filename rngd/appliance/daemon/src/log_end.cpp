#include "log_end.hpp"

#include <filesystem>

#include "certs/files.hpp"

namespace talla::rngd {

std::string_view errc_name(LogEndErrc errc) {
  return errc == LogEndErrc::log_end_refused ? "log_end_refused" : "unknown";
}

Result<std::optional<certs::EndedLog>> load_log_end(const Config& config) {
  const std::string path = config.data_folder + "/log-end.json";
  std::error_code error;
  const auto there = std::filesystem::symlink_status(path, error);
  if (there.type() == std::filesystem::file_type::not_found)
    return std::optional<certs::EndedLog>();
  TALLA_TRY(const std::string text, certs::read_file(path));
  TALLA_TRY(const std::string roots, certs::read_file(config.api.client_roots));
  const std::vector<std::string> files{text};
  TALLA_TRY(auto ends, certs::verify_log_ends(files, roots));
  certs::EndedLog& end = ends.front();
  if (end.last.origin != config.origin)
    return fail(LogEndErrc::log_end_refused, path + ": is about the log " + end.last.origin);
  if (config.profile == Profile::production && end.development)
    return fail(LogEndErrc::log_end_refused, path + ": is of a development root");
  return std::optional(std::move(end));
}

Status check_log_end(const certs::EndedLog& end, const certs::Log& log) {
  if (log.size() < end.last.size)
    return fail(LogEndErrc::log_end_refused,
                "the root ended the log with " + std::to_string(end.last.size) +
                    " records, the ledger holds " + std::to_string(log.size()));
  TALLA_TRY(const Digest root, log.prover().root(end.last.size));
  if (root == end.last.root) return {};
  return fail(LogEndErrc::log_end_refused,
              "the first " + std::to_string(end.last.size) +
                  " records of the ledger are not the history that the root names");
}

}  // namespace talla::rngd
