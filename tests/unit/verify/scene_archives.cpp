// Archives that the tests of the verifier make.
#include <bit>

#include "base/check.hpp"
#include "format/archive.hpp"
#include "format/domain.hpp"
#include "scenes.hpp"
#include "story.hpp"

namespace talla::certs::test {
namespace {

struct Span {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::optional<Digest> previous{};
};

ArchiveHeader header_of(const HashSuite& hashes, const Bundle& whole, const MerkleTree& tree,
                        const Span& span) {
  ArchiveHeader header;
  header.origin = parse_cosigned_checkpoint(whole.checkpoint)->checkpoint.origin;
  header.from = span.from;
  header.to = span.to;
  header.checkpoint = whole.checkpoint;
  header.log_key = whole.log_key;
  header.key_changes = whole.key_changes;
  header.previous = span.previous;
  const NodeSource nodes = [&](unsigned level, std::uint64_t index) {
    return tree.node(level, index);
  };
  header.consistency = *consistency_path(hashes, nodes, span.to, tree.size());
  CompactRange before;
  for (std::uint64_t seq = 0; seq < span.from; ++seq) before.append(hashes, *tree.node(0, seq));
  header.left = before.nodes();
  return header;
}

MerkleTree tree_of(const HashSuite& hashes, const Bundle& whole) {
  MerkleTree tree;
  for (const BundleRecord& entry : whole.records) {
    TALLA_CHECK(parse_record(entry.record)->seq == tree.size());
    tree.append(hashes, leaf_hash(hashes, as_bytes(entry.record)));
  }
  return tree;
}

std::string archive_of(const HashSuite& hashes, const Bundle& whole, const ArchiveHeader& header) {
  const std::string text = format_archive_header(header);
  std::string out = archive_begin(text);
  bool named = false;
  for (std::uint64_t seq = header.from; seq < header.to; ++seq) {
    const std::string& bytes = whole.records[seq].record;
    put_archive_entry(out, ArchiveTag::record, bytes);
    const Kind kind = parse_record(bytes)->kind;
    if (kind == Kind::round_open)
      put_archive_entry(out, ArchiveTag::state, json::canonical(whole.state_before.value()));
    named = named || kind == Kind::table_open;
  }
  if (named && whole.catalogue) put_archive_entry(out, ArchiveTag::catalogue, *whole.catalogue);
  put_archive_entry(out, ArchiveTag::end, as_text(archive_digest(hashes, text)));
  return out;
}

}  // namespace

TwoArchives archives_of(const Bundle& whole, std::uint64_t middle) {
  const BotanHashes hashes;
  const MerkleTree tree = tree_of(hashes, whole);
  const ArchiveHeader first = header_of(hashes, whole, tree, {.from = 0, .to = middle});
  const Digest digest = archive_digest(hashes, format_archive_header(first));
  const ArchiveHeader second =
      header_of(hashes, whole, tree, {.from = middle, .to = tree.size(), .previous = digest});
  return {.first = archive_of(hashes, whole, first), .second = archive_of(hashes, whole, second)};
}

std::string draws_archive(Pki& pki, std::uint32_t batches) {
  constexpr std::uint32_t secrets = 256;
  LogBuilder log(pki);
  Context context = story_context({});
  const DrawSpecification range = DiceDraw{2, 6};
  const std::string table =
      open_client_table(log, context, json::Object{{"range", specification_json(range)}});
  std::vector<std::string> objects{table};
  std::uint64_t last = 0;
  while (batches-- > 0) {
    Batch batch(log, table, secrets, context);
    for (std::uint32_t i = 0; i < secrets; ++i) batch.draw(range);
    last = batch.close();
    objects.push_back(batch.id());
  }
  const Bundle whole = log.select({last, objects, {}, {}});
  const MerkleTree tree = tree_of(log.hashes, whole);
  return archive_of(log.hashes, whole,
                    header_of(log.hashes, whole, tree, {.from = 0, .to = tree.size()}));
}

}  // namespace talla::certs::test
