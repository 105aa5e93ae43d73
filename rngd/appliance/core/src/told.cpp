// What stops new commitments stands in the log, and its end too.
#include "told.hpp"

namespace talla::core {

void Told::tell(Appliance& appliance, bool stands) {
  if (told_ == stands || appliance.failed()) return;
  auto tx = appliance.begin();
  json::Object body{{"test", test_}, {"result", stands ? "fail" : "pass"}, {"count", 1}};
  if (!tx.add({certs::Kind::selftest, {}, {}, std::move(body)})) return;
  tx.keep();
  told_ = stands;
}

}  // namespace talla::core
