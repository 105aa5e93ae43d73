/// \file
/// One valid body of each kind and form, written from FORMAT.md section 6.
#pragma once

#include <string>
#include <vector>

#include "format/record.hpp"

namespace talla::certs {

inline const std::string hash(64, 'a');
inline const std::string context_json =
    R"({"anchor_lag":0,"catalogue":")" + hash + R"(","config":")" + hash +
    R"(","construction":"system","game":"","generates":1,"mapping":"talla-map-v1","parameters":")" +
    hash + R"(","reseeds":1,"rollback_protection":"local","sealing":"file","software":")" + hash +
    R"(","sources":[{"class":"system","millibits":8000,"model":"getrandom")"
    R"(,"verdict":"not_tested"}],)" +
    R"("uncertified":true,"variant":""})";
inline const std::string commit_members =
    R"("burn":"","cards":416,"context":)" + context_json +
    R"(,"deck":"french52x8","disclosure":"public","number":1,"root":")" + hash +
    R"(","stop_depth":7,"table":"table-1","tape_mac":")" + hash + "\"";
/// Of a covered shoe with two roots, of which one is to be picked.
inline const std::string several_members =
    R"("burn":"","candidates":[{"root":")" + hash + R"(","tape_mac":")" + hash + R"("},{"root":")" +
    hash + R"(","tape_mac":")" + hash + R"("}],"cards":416,"context":)" + context_json +
    R"(,"deck":"french52x8","disclosure":"covered","number":1,"root":")" + hash +
    R"(","stop_depth":7,"table":"table-1")";
inline const std::string opening_members =
    R"("card":"7H","leaf":3,"path":[")" + hash + R"("],"salt":")" + hash + "\"";
inline const std::string tape_members =
    R"("tape_digest":")" + hash + R"(","words_rejected":0,"words_used":1)";

inline std::string core_json(const std::string& use) {
  const std::string q = "\"" + hash + "\"";
  const bool mix = use == "mix";
  return R"({"at":0,"bets":)" + q + R"(,"catalogue":)" + q + R"(,"game":"g","head":)" + q +
         R"(,"object":")" + (mix ? "shoe-4" : "batch-4") +
         R"(","origin":"casino.example/talla-1","others":[],"parameters":)" + q + R"(,"root":)" +
         q + R"(,"round":"0","specification":)" +
         (mix ? R"({"candidates":1,"places":416})" : R"({"kind":"wheel","pockets":37})") +
         R"(,"table":"table-1","turn":1,"type":"talla-call","use":")" + use +
         R"(","v":2,"value":)" + q + R"(,"variant":""})";
}
inline const std::string signature_text = std::string(86, 'A') + "==";
inline std::string orderer_json(const std::string& id) {
  return R"({"id":")" + id + R"(","key":"AAAA","signature":")" + signature_text + "\"}";
}

struct BodyCase {
  Kind kind;
  std::string body;
};
inline std::vector<BodyCase> bodies() {  // NOLINT(readability-function-size): a table
  const std::string q = "\"" + hash + "\"";
  return {
      {Kind::power, R"({"clean":true,"event":"start"})"},
      {Kind::software, R"({"digest":)" + q + R"(,"version":"1.0"})"},
      {Kind::config, R"({"digest":)" + q + R"(,"profile":"production"})"},
      {Kind::key,
       R"({"action":"enrol","id":"urn:a","purpose":"client","roles":["table"],"spki":)" + q + "}"},
      {Kind::selftest, R"({"count":3,"result":"pass","test":"sha256"})"},
      {Kind::health,
       R"({"alarm_us":2,"dropped":9,"last_good_us":1,"level":1,"overlapping":["shoe-3"])"
       R"(,"source":"x","test":"rct"})"},
      {Kind::reseed, R"({"assessed_millibits":384000,"cause":"timer","counter":2})"},
      {Kind::access, R"({"result":"refused","what":"restore"})"},
      {Kind::access, R"({"by":["a","b"],"object":"round-9","order":{"head":)" + q +
                         R"(,"key":"AAAA","signature":")" + signature_text +
                         R"("},"result":"allowed","what":"call-again.confirmed"})"},
      {Kind::answer,
       R"({"core":{"at":0,"bets":)" + q + R"(,"catalogue":)" + q + R"(,"game":"","head":)" + q +
           R"(,"object":"batch-9","origin":"house/1","others":[{"commit":)" + q +
           R"(,"id":"urn:p","key":"AAAA","t":2}],"parameters":)" + q + R"(,"root":)" + q +
           R"(,"round":"0","specification":{"kind":"wheel","pockets":37},"table":"table-1",)" +
           R"("turn":3,"type":"talla-call","use":"draw","v":2,"value":)" + q +
           R"(,"variant":""},"id":"urn:p","opening":)" + q + R"(,"signature":")" + signature_text +
           R"(","value":)" + q + "}"},
      {Kind::table_open,
       R"({"catalogue":)" + q +
           R"(,"chain":["AAAA"],"chip":5,"currency":"ESP","early_closes":0,"game":"g")" +
           R"(,"key":"AAAA","max":0,"min":25,"opened":2,"parameters":{"a":1},"place":"Mesa 7",)" +
           R"("policy":{"candidates":1,"max_voids":1,"mix":"shoe","open_within":60,"required":[]},)" +
           R"("rounding":"down","settled_by":"appliance",)" +
           R"("turns":9,"unit":"1/100","variant":"","voids":1})"},
      {Kind::table_close,
       R"({"early_closes":0,"opened":2,"place":"Mesa 7","reason":"closed","rounds":3)"
       R"(,"turns":9,"voids":1})"},
      {Kind::round_open, R"({"number":1,"state_before":)" + q + R"(,"table":"table-1"})"},
      {Kind::bets_closed,
       R"({"bets":[{"id":"b","kind":"pleno","on":["00"],"seat":1,"stake":5}],"digest":)" + q +
           R"(,"withdrawn":[]})"},
      {Kind::action, R"({"cause":"decision","do":"prison","seat":1,"state_before":)" + q + "}"},
      {Kind::misdeal, R"({"code":"c","effect":"void"})"},
      {Kind::hand_confirmed, R"({"state_before":)" + q + "}"},
      {Kind::settlement,
       R"({"results":[{"bet":"b","kind":"k","result":"win","returned":7,"rule":"01 I")"
       R"(,"seat":1,"stake":5}],)" +
           std::string(R"("state_after":)") + q + R"(,"state_before":)" + q + "}"},
      {Kind::round_end,
       R"({"dealt":6,"early_closes":0,"state_after":)" + q + R"(,"turns":9,"voids":1})"},
      {Kind::meter, R"({"after":3,"award":0,"before":1,"contribution":2,"meter":"m"})"},
      {Kind::meter_open,
       R"({"catalogue":)" + q +
           R"(,"currency":"EUR","game":"g","meter":"m","terms":{"a":1},"unit":"1")"
           R"(,"value":0,"variant":""})"},
      {Kind::meter_close, R"({"value":3})"},
      {Kind::shoe_commit, "{" + commit_members + "}"},
      {Kind::shoe_commit, "{" + several_members + "}"},
      {Kind::shoe_mix, R"({"call":4,"opened":[{"key":)" + q + R"(,"tape":"AAAA",)" + tape_members +
                           R"(}],"openings":[],"picked":1,"root":)" + q + "," + tape_members + "}"},
      {Kind::shoe_mix, R"({"call":4,"openings":[],"root":)" + q + "," + tape_members + "}"},
      {Kind::card_deal, R"({"face":"open","place":"p","position":0,)" + opening_members + "}"},
      {Kind::card_deal, R"({"copies":[{"ciphertext":)" + q + R"(,"key":)" + q +
                            R"(,"seat":2}],"face":"covered","place":"p","position":0})"},
      {Kind::card_deal, R"({"copies":[],"face":"covered","place":"p","position":0})"},
      {Kind::card_open, R"({"place":"p","position":0,)" + opening_members + "}"},
      {Kind::shoe_recommit,
       "{" + commit_members + R"(,"of":)" + q + R"(,"positions":416,"returned":[0,7],"rule":"r"})"},
      {Kind::shoe_release,
       R"({"ciphertext":)" + q + R"(,"machine":"urn:m","order_known_to":)" + q + "}"},
      {Kind::shuffle_report,
       R"({"census":"complete","key":"AAAA","number":1,"recognised":416,"result":"match","seen":)" +
           q + R"(,"signature":")" + std::string(86, 'A') + R"(=="})"},
      {Kind::shuffle_report,
       R"({"key":"AAAA","number":2,"recognised":0,"result":"jam","signature":")" +
           std::string(86, 'A') + R"(=="})"},
      {Kind::shoe_close, R"({"dealt":10,"key":)" + q + R"(,"reason":"closed")" +
                             R"(,"tape":"AAAA",)" + tape_members + "}"},
      {Kind::shoe_close, R"({"candidates":[{"key":)" + q + R"(,"tape":"AAAA",)" + tape_members +
                             R"(}],"dealt":0,"reason":"ended"})"},
      {Kind::batch_commit, R"({"context":)" + context_json + R"(,"count":16,"expires":9,"root":)" +
                               q + R"(,"table":"table-1"})"},
      {Kind::call,
       R"({"core":)" + core_json("draw") + R"(,"signature":")" + signature_text + "\"}"},
      {Kind::call, R"({"core":)" + core_json("mix") + R"(,"signature":")" + signature_text + "\"}"},
      {Kind::call, R"({"core":)" + core_json("draw") + R"(,"order":{"by":[)" + orderer_json("a") +
                       "," + orderer_json("b") + R"(],"head":)" + q + R"(},"signature":")" +
                       signature_text + "\"}"},
      {Kind::draw,
       R"({"call":4,"index":0,"openings":[],"outcome":{"pocket":5},"path":[],"secret":)" + q + "," +
           tape_members + "}"},
      {Kind::void_call,
       R"({"by":["a","b"],"call":4,"cause":"order","outcome":{"pocket":5},"path":[],"secret":)" +
           q + "}"},
      {Kind::void_call, R"({"call":4,"cause":"unrecoverable","outcome":"unknown"})"},
      {Kind::void_call, R"({"cause":"lapsed","core":)" + core_json("draw") +
                            R"(,"outcome":{"pocket":5},"path":[],"secret":)" + q +
                            R"(,"signature":")" + signature_text + "\"}"},
      {Kind::void_call, R"({"cause":"lapsed","core":)" + core_json("mix") +
                            R"(,"outcome":"unknown","signature":")" + signature_text + "\"}"},
      {Kind::batch_close,
       R"({"first":1,"left":[)" + q + R"(],"reason":"expired","secrets":[)" + q + "]}"},
  };
}

}  // namespace talla::certs
