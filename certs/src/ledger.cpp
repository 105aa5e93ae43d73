#include "certs/ledger.hpp"

namespace talla::certs {

bool Group::empty() const {
  return records.empty() && sealed.empty() && replies.empty() && documents.empty() &&
         catalogues.empty() && spent.empty();
}

bool kind_closes(Kind kind) {
  return kind == Kind::table_close || kind == Kind::round_end || kind == Kind::shoe_close ||
         kind == Kind::batch_close || kind == Kind::meter_close;
}

}  // namespace talla::certs
