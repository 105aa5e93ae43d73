#include "log_builder.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::certs::test {

std::uint64_t LogBuilder::add(Entry entry) {
  Record record;
  record.origin = story_origin;
  record.seq = records_.size();
  record.kind = entry.kind;
  record.time_us = epoch_us + static_cast<std::int64_t>(record.seq) * 1'000;
  record.time_quality = TimeQuality::synced;
  Client client{"urn:talla:table-1", {}};
  client.spki.fill(0x11);
  record.client = client;
  record.cites = std::move(entry.cites);
  record.body = std::move(entry.body);
  if (kind_opens(entry.kind)) {
    record.object = object_id(kind_object(entry.kind), record.seq);
  } else if (!entry.object.empty()) {
    record.object = entry.object;
    record.prev = newest_.at(entry.object);
  }
  if (record.kind == tamper_.kind && tamper_.change && seen_++ == tamper_.occurrence)
    tamper_.change(record);
  auto text = write_record(record);
  TALLA_CHECK(text.has_value());
  if (!record.object.empty()) newest_[record.object] = records_.size();
  tree_.append(hashes, leaf_hash(hashes, as_bytes(*text)));
  records_.push_back(std::move(record));
  texts_.push_back(std::move(*text));
  return records_.size() - 1;
}

std::string LogBuilder::checkpoint() const {
  return *sign_checkpoint(hashes, {records_.front().origin, tree_.size(), tree_.root(hashes)},
                          pki_);
}

Bundle LogBuilder::select(const Selection& selection) const {
  Bundle bundle;
  bundle.claim = selection.claim;
  bundle.checkpoint = checkpoint();
  bundle.log_key = pki_.log_key();
  bundle.catalogue = selection.catalogue;
  bundle.state_before = selection.state_before;
  for (const Record& record : records_) {
    const auto& wanted = selection.objects;
    if (record.seq > selection.claim ||
        std::find(wanted.begin(), wanted.end(), record.object) == wanted.end())
      continue;
    bundle.records.push_back({texts_[record.seq], tree_.inclusion_path(hashes, record.seq)});
  }
  return bundle;
}

Receipt LogBuilder::receipt(std::uint64_t seq) const {
  return {format_proof({seq, tree_.inclusion_path(hashes, seq), checkpoint()}), texts_[seq]};
}

Context development_context() {
  Context context;
  context.construction = "system";
  context.uncertified = true;
  context.sources = {{"getrandom", "system", 8000, "not_tested"}};
  context.reseeds = 2;
  context.generates = 5;
  context.software.fill(0x21);
  context.config.fill(0x22);
  return context;
}

}  // namespace talla::certs::test
