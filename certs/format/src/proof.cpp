#include "format/proof.hpp"

#include <algorithm>

#include "decimal.hpp"
#include "format/errc.hpp"
#include "format/merkle.hpp"
#include "receipt_writer.hpp"

namespace talla::certs {
namespace {
constexpr std::string_view proof_header = "c2sp.org/tlog-proof@v1\n";
constexpr std::string_view index_word = "index ";
constexpr std::size_t receipt_bytes_usual = 512;
constexpr std::size_t proof_bytes_usual = 64;
}  // namespace

std::string format_proof(const TlogProof& proof) {
  std::string text;
  text.reserve(proof_bytes_usual + 45 * proof.path.size() + proof.checkpoint.size());
  text.append(proof_header).append(index_word).append(std::to_string(proof.index)) += '\n';
  for (const Digest& hash : proof.path) text.append(to_base64(hash)) += '\n';
  text += '\n';
  return text.append(proof.checkpoint);
}

Result<TlogProof> parse_proof(std::string_view text) {
  if (!text.starts_with(proof_header))
    return fail(FormatErrc::malformed_proof, "proof: no header line");
  text.remove_prefix(proof_header.size());
  if (!text.starts_with(index_word))
    return fail(FormatErrc::malformed_proof, "proof: no index line");
  text.remove_prefix(index_word.size());
  const std::size_t index_end = text.find('\n');
  if (index_end == std::string_view::npos)
    return fail(FormatErrc::malformed_proof, "proof: cut short");
  TlogProof proof;
  const auto index = decimal_number(text.substr(0, index_end));
  if (!index) return fail(FormatErrc::malformed_proof, "proof: malformed index");
  proof.index = *index;
  text.remove_prefix(index_end + 1);
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return fail(FormatErrc::malformed_proof, "proof: cut short");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.empty()) break;
    auto hash = from_base64(line);
    if (!hash || hash->size() != Digest{}.size() || proof.path.size() == path_hashes_max) {
      return fail(FormatErrc::malformed_proof, "proof: malformed hash line");
    }
    std::copy(hash->begin(), hash->end(), proof.path.emplace_back().begin());
  }
  TALLA_TRY(const SignedNote note, parse_note(text));
  TALLA_TRY(const Checkpoint checkpoint, parse_checkpoint_text(note.text));
  if (proof.index >= checkpoint.size)
    return fail(FormatErrc::malformed_proof, "proof: the index is outside the tree");
  proof.checkpoint = std::string(text);
  return proof;
}

std::size_t receipt_room(const Receipt& receipt) {
  return receipt.proof.size() + receipt.record.size() + receipt_bytes_usual;
}

void write_receipt(TextWriter& out, const Receipt& receipt) {
  out.open('{').key("proof").text(receipt.proof).key("record").text(receipt.record).close('}');
}

std::string format_receipt(const Receipt& receipt) {
  std::string text;
  text.reserve(receipt_room(receipt));
  TextWriter out(text);
  write_receipt(out, receipt);
  return text;
}

Result<Receipt> parse_receipt(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(FormatErrc::malformed_receipt, "receipt: " + value.error().detail);
  json::Reader reader(*value, "receipt");
  auto proof = reader.string("proof");
  auto record = reader.string("record");
  if (!proof || !record || !reader.finish()) {
    return fail(FormatErrc::malformed_receipt,
                "receipt: exactly the texts `proof` and `record` are expected");
  }
  return Receipt{std::move(*proof), std::move(*record)};
}

Result<OpenedReceipt> open_receipt(const Receipt& receipt) {
  OpenedReceipt opened;
  TALLA_TRY(opened.proof, parse_proof(receipt.proof));
  TALLA_TRY(opened.checkpoint, parse_cosigned_checkpoint(opened.proof.checkpoint));
  TALLA_TRY(opened.record, parse_record(receipt.record));
  if (opened.proof.index != opened.record.seq) {
    return fail(FormatErrc::malformed_receipt,
                "receipt: the proof is of another index than the record's seq");
  }
  if (opened.checkpoint.checkpoint.origin != opened.record.origin) {
    return fail(FormatErrc::malformed_receipt,
                "receipt: checkpoint and record name different origins");
  }
  return opened;
}

}  // namespace talla::certs
