// Lists what lies in a run's folder, and signs the list.
#include "seal_folder.hpp"

#include <unistd.h>

#include <memory>

#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "folder.hpp"
#include "format/cosignature.hpp"

namespace talla::lab::submit {

std::string note_text(std::string_view manifest_sha256) {
  return "talla-lab submission v1\n" + std::string(manifest_sha256) + "\n";
}

Result<std::string> seal_folder(const std::string& out, const std::string& plan_path,
                                const PlanFile& plan) {
  TALLA_TRY(const auto files, files_below(out, {manifest_file, signature_file, lock_file}));
  const std::string text = json::canonical(json::Object{{"files", fact_list(files)},
                                                        {"format", 1},
                                                        {"kind", "talla-lab submission"},
                                                        {"plan_path", plan_path},
                                                        {"title", plan.title}}) +
                           "\n";
  std::string digest = to_hex(digest_of_text(text));
  const std::string note_path = out + "/" + signature_file;
  static_cast<void>(::unlink(note_path.c_str()));  // what was signed before is another folder
  TALLA_TRY_STATUS(certs::replace_file(out + "/" + manifest_file, text));
  if (plan.laboratory.key.empty()) return digest;
  const certs::OpensslHashes hashes;
  TALLA_TRY(const auto signer, certs::open_log_signer(plan.laboratory.key));
  if (!certs::origin_valid(plan.laboratory.key_name))
    return fail(SubmitErrc::submit_refused,
                "laboratory.key_name: 1 to 200 printable characters without space and +");
  const auto key = certs::make_verifier_key(hashes, plan.laboratory.key_name, certs::KeyType::log,
                                            signer->public_key());
  const std::string signed_text = note_text(digest);
  TALLA_TRY(const auto signature, signer->sign(as_bytes(signed_text)));
  TALLA_TRY_STATUS(certs::replace_file(
      note_path, signed_text + "\n" + certs::signature_line(key.name, key.key_id, signature)));
  return digest;
}

}  // namespace talla::lab::submit
