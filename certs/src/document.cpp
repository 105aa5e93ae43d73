// The names of the ledger's documents.
#include "certs/document.hpp"

namespace talla::certs::documents {

DocumentName bets(const std::string& round_id) {
  return DocumentName(round_id);
}
DocumentName state(const std::string& object_id) {
  return DocumentName(object_id + ".state");
}
DocumentName contributors(const std::string& table_id) {
  return DocumentName(table_id + ".contributors");
}
DocumentName openings(const std::string& table_id) {
  return DocumentName(table_id + ".openings");
}
DocumentName order(const std::string& table_id) {
  return DocumentName(table_id + ".order");
}
DocumentName answer(const Digest& of) {
  return DocumentName("answer-" + to_hex(of));
}
DocumentName targets(const std::string& shoe_id) {
  return DocumentName(shoe_id + ".targets");
}
DocumentName resume_point(const std::string& table_id) {
  return DocumentName(table_id + ".resume");
}
DocumentName place(const std::string& name) {
  return DocumentName("place." + name);
}
DocumentName signatures(std::uint64_t number) {
  return DocumentName("signatures-" + std::to_string(number));
}
DocumentName log_keys() {
  return DocumentName("log-keys");
}
DocumentName acts() {
  return DocumentName("acts");
}
DocumentName approvals() {
  return DocumentName("approvals");
}
DocumentName enrolment() {
  return DocumentName("enrolment");
}
DocumentName enrolment_file() {
  return DocumentName("enrolment-file");
}
DocumentName configuration() {
  return DocumentName("config");
}
DocumentName software() {
  return DocumentName("software");
}
DocumentName certification(const Digest& digest) {
  return DocumentName("certification-" + to_hex(digest));
}
DocumentName monitors() {
  return DocumentName("monitors");
}

}  // namespace talla::certs::documents
