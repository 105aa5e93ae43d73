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
inline const std::string opening_members =
    R"("card":"7H","leaf":3,"path":[")" + hash + R"("],"salt":")" + hash + "\"";
inline const std::string tape_members =
    R"("tape_digest":")" + hash + R"(","words_rejected":0,"words_used":1)";

struct BodyCase {
  Kind kind;
  std::string body;
};
inline std::vector<BodyCase> bodies() {
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
      {Kind::table_open,
       R"({"catalogue":)" + q +
           R"(,"chip":5,"currency":"ESP","early_closes":0,"game":"g","max":0,"min":25,"opened":2,)" +
           R"("parameters":{"a":1},"place":"Mesa 7","rounding":"down","settled_by":"appliance",)" +
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
      {Kind::round_end, R"({"early_closes":0,"state_after":)" + q + R"(,"turns":9,"voids":1})"},
      {Kind::meter, R"({"after":3,"award":0,"before":1,"contribution":2,"meter":"m"})"},
      {Kind::meter_open,
       R"({"catalogue":)" + q +
           R"(,"currency":"EUR","game":"g","meter":"m","terms":{"a":1},"unit":"1")"
           R"(,"value":0,"variant":""})"},
      {Kind::meter_close, R"({"value":3})"},
      {Kind::shoe_commit, "{" + commit_members + "}"},
      {Kind::shoe_mix,
       R"({"nonce":"00112233445566778899aabbccddeeff","root":)" + q + "," + tape_members + "}"},
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
       R"({"census":"complete","recognised":416,"result":"match","seen":)" + q + "}"},
      {Kind::shuffle_report, R"({"recognised":0,"result":"jam"})"},
      {Kind::shoe_close, R"({"dealt":10,"key":)" + q + R"(,"reason":"closed")" +
                             R"(,"tape":"AAAA",)" + tape_members + "}"},
      {Kind::batch_commit, R"({"context":)" + context_json + R"(,"count":16,"expires":9,"root":)" +
                               q + R"(,"table":"table-1"})"},
      {Kind::intent,
       R"({"bets":)" + q + R"(,"context":)" + context_json + R"(,"digest":)" + q +
           R"(,"index":0,"nonce":"00112233445566778899aabbccddeeff",)" + R"("root":)" + q +
           R"(,"round":"0","specification":{"kind":"wheel","pockets":37},"table":"table-1"})"},
      {Kind::draw, R"({"context":)" + context_json +
                       R"(,"index":0,"intent":4,"outcome":{"pocket":5},"path":[],"secret":)" + q +
                       "," + tape_members + "}"},
      {Kind::void_draw,
       R"({"by":["a","b"],"cause":"order","intent":4,"outcome":{"pocket":5},"path":[],"secret":)" +
           q + "}"},
      {Kind::void_draw,
       R"({"by":[],"cause":"unrecoverable","intent":4,"outcome":"unrecoverable"})"},
      {Kind::batch_close,
       R"({"first":1,"left":[)" + q + R"(],"reason":"expired","secrets":[)" + q + "]}"},
  };
}

}  // namespace talla::certs
