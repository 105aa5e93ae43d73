// Carries a submission through at a server of the ESV protocol.
#include "lab_esv/send.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "lab_esv/esv.hpp"
#include "numbers.hpp"
#include "sent.hpp"
#include "wire.hpp"

namespace talla::lab::esv {

namespace {

tl::unexpected<Error> not_sent(const std::string& what) {
  return fail(EsvErrc::esv_refused, what);
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// The number behind `prefix` + "/"; nothing where the path is another one.
std::optional<std::int64_t> number_behind(std::string_view path, const std::string& prefix) {
  if (!path.starts_with(prefix + "/")) return std::nullopt;
  const std::string_view digits = path.substr(prefix.size() + 1);
  constexpr std::size_t digits_most = 15;
  if (digits.empty() || digits.size() > digits_most ||
      digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return std::stoll(std::string(digits));
}

/// One upload that a registration asks for.
struct DataFile {
  std::string what;  ///< "rawNoise", "restart", "conditioned 1"
  OutFile file;
  std::int64_t bits = 0;  ///< 0: as registered
};

class Sending {
 public:
  Sending(const SendWish& wish, Submission submission, Wire wire, Sent sent,
          std::vector<std::vector<DataFile>> data, std::vector<OutFile> documents)
      : wish_(wish),
        of_(std::move(submission)),
        wire_(std::move(wire)),
        sent_(std::move(sent)),
        data_(std::move(data)),
        documents_(std::move(documents)) {}

  Result<SendEnd> run() {
    TALLA_TRY_STATUS(check_state());
    TALLA_TRY_STATUS(wire_.login());
    say("logged in");
    TALLA_TRY_STATUS(registration());
    TALLA_TRY_STATUS(uploads());
    SendEnd end;
    TALLA_TRY(end.passed, results());
    if (end.passed) {
      TALLA_TRY_STATUS(papers());
      if (wish_.certify) {
        TALLA_TRY(end.passed, certify());
      }
    }
    end.told = told();
    return end;
  }

 private:
  void say(const std::string& line) const {
    if (wish_.say) wish_.say(line);
  }
  [[nodiscard]] json::Array& list(std::string_view name) {
    json::Value& all = sent_.all();
    if (all.find(name) == nullptr) all[name] = json::Array{};
    return all[name].array();
  }
  /// What goes on from a state file rests on its numbers: one that is damaged is refused before
  /// anything is sent.
  Status check_state() {
    const json::Value& all = sent_.all();
    const auto damaged = [](const std::string& what) {
      return not_sent("the state file is damaged (" + what + "): take it away, and begin anew");
    };
    constexpr std::size_t members_before = 2;  // identity and kind
    if (all.find("registered") == nullptr)
      return all.object().size() == members_before ? Status() : Status(damaged("registered"));
    const json::Array& assessments = list_at(all, "assessments");
    if (assessments.size() != data_.size()) return damaged("assessments");
    for (std::size_t i = 0; i < assessments.size(); ++i) {
      const json::Array& files = list_at(assessments[i], "files");
      const bool named = std::ranges::all_of(data_[i], [&](const DataFile& one) {
        return std::ranges::count_if(files, [&](const json::Value& file) {
                 return text_at(file, "what") == one.what && is_number(file, "dfId");
               }) == 1;
      });
      if (!is_number(assessments[i], "eaId") || assessments[i].find("oeId") == nullptr ||
          files.size() != data_[i].size() || !named)
        return damaged("assessments");
    }
    const json::Value* given = all.find("documents");
    if (given != nullptr && (!given->is_array() || given->array().size() > documents_.size() ||
                             !std::ranges::all_of(given->array(), [](const json::Value& one) {
                               return is_number(one, "sdId");
                             })))
      return damaged("documents");
    const json::Value* rbg = all.find("rbg");
    if (of_.rbgs != nullptr && (rbg == nullptr || !is_number(*rbg, "rbgId"))) return damaged("rbg");
    return {};
  }
  static bool is_number(const json::Value& of, std::string_view name) {
    const json::Value* found = of.find(name);
    return found != nullptr && found->is_integer();
  }
  [[nodiscard]] std::string assessments_path() const {
    return wire_.base() + "/entropyAssessments";
  }
  /// The token of an object of the server, renewed where it ends soon, and kept.
  [[nodiscard]] Result<std::string> token_of(json::Value& object) {
    const std::string old = text_at(object, "accessToken").value_or("");
    TALLA_TRY(std::string now, wire_.fresh(old));
    if (now != old) {
      object["accessToken"] = now;
      TALLA_TRY_STATUS(sent_.keep());
    }
    return now;
  }

  Status registration() {
    if (sent_.all().find("registered") != nullptr) {
      say("registered already");
      return {};
    }
    const bool both = of_.source != nullptr && of_.rbgs != nullptr;
    json::Object rbgs;
    if (of_.rbgs != nullptr) rbgs.emplace("rbg", *of_.rbgs);
    const std::string path = both                    ? wire_.base() + "/combined"
                             : of_.source != nullptr ? assessments_path()
                                                     : wire_.base() + "/rbgs";
    const json::Value body = both ? json::Value(json::Object{{"90B", *of_.source}, {"90C", rbgs}})
                             : of_.source != nullptr ? *of_.source
                                                     : json::Value(rbgs);
    TALLA_TRY(const json::Value answer, wire_.post(path, wire_.token(), body));
    if (of_.source != nullptr) {
      const json::Value* of_source = both ? answer.find("entropyAssessments") : &answer;
      if (of_source == nullptr) return not_sent("POST " + path + ": no entropyAssessments");
      TALLA_TRY_STATUS(take_assessments(
          of_source->is_array() ? of_source->array() : json::Array{*of_source}, "POST " + path));
    }
    if (of_.rbgs != nullptr) {
      const json::Value* rbg = both ? answer.find("randomBitGenerator") : &answer;
      TALLA_TRY_STATUS(take_rbg(rbg != nullptr ? *rbg : json::Value(), "POST " + path));
    }
    sent_.all()["registered"] = true;
    TALLA_TRY_STATUS(sent_.keep());
    say("registered");
    return {};
  }

  Status take_rbg(const json::Value& given, const std::string& what) {
    const auto id = number_behind(text_at(given, "url").value_or(""), wire_.base() + "/rbgs");
    const auto token = text_at(given, "accessToken");
    if (!id || !token) return not_sent(what + ": the answer has no url and accessToken of an RBG");
    sent_.all()["rbg"] = json::Object{{"accessToken", *token}, {"rbgId", *id}};
    return {};
  }

  /// One assessment for each environment, each with exactly the files that we have.
  Status take_assessments(const json::Array& given, const std::string& what) {
    if (given.size() != data_.size())
      return not_sent(what + ": " + std::to_string(given.size()) + " assessments for " +
                      std::to_string(data_.size()) + " environments");
    json::Array taken;
    std::vector<std::int64_t> seen;
    const auto twice = [&seen](std::int64_t id) {
      const bool there = std::ranges::find(seen, id) != seen.end();
      seen.push_back(id);
      return there;
    };
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::string url = text_at(given[i], "url").value_or("");
      const auto id = number_behind(url, assessments_path());
      const auto token = text_at(given[i], "accessToken");
      if (!id || !token || token->empty())
        return not_sent(what + ": an assessment without url " + assessments_path() +
                        "/NUMBER and accessToken");
      for (const json::Value& one : taken)
        if (one.find("eaId")->integer() == *id)
          return not_sent(what + ": assessment " + std::to_string(*id) + " is given twice");
      json::Array files;
      for (const json::Value& place : list_at(given[i], "dataFileUrls")) {
        const auto [name, path] = data_place(place);
        const auto file = number_behind(path, url + "/dataFiles");
        if (!file || twice(*file))
          return not_sent(what + ": " + path + " is no data file of assessment " +
                          std::to_string(*id) + ", or is given twice");
        files.emplace_back(json::Object{{"dfId", *file}, {"what", name}});
      }
      if (files.size() != data_[i].size() ||
          !std::ranges::all_of(data_[i], [&](const DataFile& one) {
            return std::ranges::any_of(
                files, [&](const json::Value& file) { return text_at(file, "what") == one.what; });
          }))
        return not_sent(what + ": the server asks for other data files than the submission has");
      taken.emplace_back(json::Object{{"accessToken", *token},
                                      {"eaId", *id},
                                      {"files", std::move(files)},
                                      {"oeId", *list_at_data(i).find("oeId")}});
    }
    sent_.all()["assessments"] = std::move(taken);
    return {};
  }
  [[nodiscard]] const json::Value& list_at_data(std::size_t i) const {
    return of_.data->array()[i];
  }
  /// Our name of a place for a file, and its path.
  static std::pair<std::string, std::string> data_place(const json::Value& place) {
    if (const auto raw = text_at(place, "rawNoiseBits")) return {"rawNoise", *raw};
    if (const auto restart = text_at(place, "restartTestBits")) return {"restart", *restart};
    const json::Value* position = place.find("sequencePosition");
    const bool whole = position != nullptr && position->is_integer();
    return {"conditioned " + std::to_string(whole ? position->integer() : 0),
            text_at(place, "conditionedBits").value_or("")};
  }

  Status uploads() {
    json::Array& all = list("assessments");
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (json::Value& place : all[i]["files"].array()) {
        const DataFile& data =
            *std::ranges::find(data_[i], *text_at(place, "what"), &DataFile::what);
        TALLA_TRY_STATUS(upload(all[i], place, data));
      }
    }
    return {};
  }
  [[nodiscard]] std::string file_path(const json::Value& assessment,
                                      const json::Value& place) const {
    return assessments_path() + "/" + std::to_string(assessment.find("eaId")->integer()) +
           "/dataFiles/" + std::to_string(place.find("dfId")->integer());
  }
  Status upload(json::Value& assessment, json::Value& place, const DataFile& data) {
    const std::string path = file_path(assessment, place);
    if (place.find("sent") != nullptr) return {};
    TALLA_TRY(const std::string token, token_of(assessment));
    if (place.find("begun") != nullptr) {
      // The answer was lost: the server says whether it has the file.
      TALLA_TRY(const json::Value had, wire_.get(path, token));
      if (lower(text_at(had, "status").value_or("")) != "notuploaded" &&
          text_at(had, "status").has_value()) {
        TALLA_TRY_STATUS(same_file(had, place, data, "GET " + path));
        return arrived(place, data, "was there");
      }
    }
    place["begun"] = true;
    TALLA_TRY_STATUS(sent_.keep());
    std::vector<FormPart> parts;
    if (data.bits != 0)
      parts.push_back({.name = "dataFileSampleSize", .content = std::to_string(data.bits)});
    parts.push_back({.name = "dataFile",
                     .file = std::filesystem::path(data.file.path).filename().string(),
                     .content = data.file.content});
    TALLA_TRY(const json::Value answer, wire_.post_form(path, token, parts));
    TALLA_TRY_STATUS(same_file(answer, place, data, "POST " + path));
    return arrived(place, data, "sent");
  }
  Status arrived(json::Value& place, const DataFile& data, const std::string& how) {
    place["sent"] = true;
    place["sha256"] = data.file.sha256;
    TALLA_TRY_STATUS(sent_.keep());
    say(data.what + ": " + how + ", " + std::to_string(data.file.content.size()) +
        " bytes, SHA-256 " + data.file.sha256);
    return {};
  }
  /// What the server says of a file is about this one: number, SHA-256 and size, where it says
  /// them.
  static Status same_file(const json::Value& said, const json::Value& place, const DataFile& data,
                          const std::string& what) {
    if (!said.is_object()) return not_sent(what + ": an object was expected");
    for (const auto& [name, value] : said.object()) {
      const std::string key = lower(name);
      const bool same =
          key == "id" || key == "dfid" ? value == *place.find("dfId")
          : key.ends_with("sha256") ? value.is_string() && lower(value.string()) == data.file.sha256
          : key == "size" || key == "bytes" ? value == json::Value(data.file.content.size())
                                            : true;
      if (!same)
        return not_sent(what + ": the server speaks of another file: " + name + " is not that of " +
                        data.file.path);
    }
    return {};
  }

  /// Waits for the server's tests; true: every file was successful.
  Result<bool> results() {
    bool passed = true;
    json::Array& all = list("assessments");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wish_.wait_seconds);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (json::Value& place : all[i]["files"].array()) {
        const DataFile& data =
            *std::ranges::find(data_[i], *text_at(place, "what"), &DataFile::what);
        TALLA_TRY(const std::string status, result_of(all[i], place, data, end));
        passed = passed && status.find("success") != std::string::npos;
      }
    }
    return passed;
  }
  Result<std::string> result_of(json::Value& assessment, json::Value& place, const DataFile& data,
                                std::chrono::steady_clock::time_point end) {
    if (const auto known = text_at(place, "status")) return lower(*known);
    const std::string path = file_path(assessment, place);
    while (true) {
      TALLA_TRY(const std::string token, token_of(assessment));
      TALLA_TRY(const json::Value said, wire_.get(path, token));
      TALLA_TRY_STATUS(same_file(said, place, data, "GET " + path));
      const auto status = text_at(said, "status");
      if (!status) return not_sent("GET " + path + ": the answer has no status");
      std::string word = lower(*status);
      if (word.find("success") != std::string::npos || word.find("error") != std::string::npos) {
        place["status"] = *status;
        place["result"] = said;
        TALLA_TRY_STATUS(sent_.keep());
        say(data.what + ": " + *status);
        return word;
      }
      if (std::chrono::steady_clock::now() >= end)
        return not_sent("GET " + path + ": " + *status +
                        " after the time that was given (--wait); the same line goes on");
      say(data.what + ": " + *status);
      std::this_thread::sleep_for(std::chrono::seconds(wish_.poll_seconds));
    }
  }

  /// Documents come behind the data files: sent before them a server has lost their types.
  Status papers() {
    json::Array& given = list("documents");
    const std::string path = wire_.base() + "/supportingDocumentation";
    for (std::size_t i = given.size(); i < documents_.size(); ++i) {
      TALLA_TRY_STATUS(wire_.login());
      const json::Value& entry = of_.documents->array()[i];
      const std::string type = text_at(entry, "sdType").value_or("");
      const std::vector<FormPart> parts{
          {.name = "sdType", .content = type},
          {.name = "sdComments", .content = text_at(entry, "comment").value_or("")},
          {.name = "sdFile",
           .file = std::filesystem::path(documents_[i].path).filename().string(),
           .content = documents_[i].content}};
      TALLA_TRY(const json::Value answer, wire_.post_form(path, wire_.token(), parts));
      const json::Value* id = answer.find("sdId");
      const auto token = text_at(answer, "accessToken");
      if (text_at(answer, "status") != "success" || id == nullptr || !id->is_integer() || !token)
        return not_sent("POST " + path + ": " + documents_[i].path +
                        " was not taken: no status success with sdId and accessToken");
      for (const json::Value& one : given)
        if (*one.find("sdId") == *id)
          return not_sent("POST " + path + ": document " + std::to_string(id->integer()) +
                          " is given twice");
      given.emplace_back(json::Object{{"accessToken", *token},
                                      {"sdId", *id},
                                      {"sdType", type},
                                      {"sha256", documents_[i].sha256}});
      TALLA_TRY_STATUS(sent_.keep());
      say(type + ": sent, document " + std::to_string(id->integer()));
    }
    return {};
  }

  Result<bool> certify() {
    if (sent_.all().find("certify") == nullptr) {
      TALLA_TRY_STATUS(ask_certificate());
    }
    const std::string status = lower(text_at(*sent_.all().find("certify"), "status").value_or(""));
    say("certify: " + (status.empty() ? "answered" : status));
    return status == "received" || status == "success";
  }
  Status ask_certificate() {
    const std::string path = wire_.base() + "/certify" +
                             (of_.rbgs == nullptr     ? ""
                              : of_.source == nullptr ? "/rbg"
                                                      : "/combined");
    json::Value body = *of_.certify;
    json::Array papers;
    for (json::Value& one : list("documents")) {
      TALLA_TRY(const std::string token, token_of(one));
      papers.emplace_back(json::Object{{"accessToken", token}, {"sdId", *one.find("sdId")}});
    }
    body["supportingDocumentation"] = std::move(papers);
    if (of_.source != nullptr) {
      json::Array assessments;
      for (json::Value& one : list("assessments")) {
        TALLA_TRY(const std::string token, token_of(one));
        assessments.emplace_back(json::Object{
            {"accessToken", token}, {"eaId", *one.find("eaId")}, {"oeId", *one.find("oeId")}});
      }
      body["entropyAssessments"] = std::move(assessments);
    }
    if (json::Value* rbg = of_.rbgs != nullptr ? &sent_.all()["rbg"] : nullptr; rbg != nullptr) {
      TALLA_TRY(const std::string token, token_of(*rbg));
      body["rbg"] = json::Object{{"accessToken", token}, {"rbgId", *rbg->find("rbgId")}};
    }
    TALLA_TRY_STATUS(wire_.login());
    TALLA_TRY(const json::Value answer, wire_.post(path, wire_.token(), body));
    TALLA_TRY_STATUS(mirrored(answer, "POST " + path));
    sent_.all()["certify"] = answer;
    return sent_.keep();
  }
  /// The answer mirrors the numbers that were sent.
  Status mirrored(const json::Value& answer, const std::string& what) {
    for (const auto& [name, id] :
         {std::pair<std::string, std::string>{"entropyAssessments", "eaId"},
          {"supportingDocumentation", "sdId"}}) {
      const json::Array& said = list_at(answer, name);
      const json::Array& ours =
          name == "entropyAssessments" ? list("assessments") : list("documents");
      if (said.empty()) continue;
      const bool same = said.size() == ours.size() &&
                        std::ranges::all_of(ours, [&, key = id](const json::Value& one) {
                          return std::ranges::any_of(said, [&](const json::Value& other) {
                            const json::Value* number = other.find(key);
                            return number != nullptr && *number == *one.find(key);
                          });
                        });
      if (!same) return not_sent(what + ": the answer is about other " + name);
    }
    return {};
  }

  /// All of it but tokens.
  [[nodiscard]] json::Value told() const {
    json::Value out = sent_.all();
    const auto strip = [](auto&& self, json::Value& value) -> void {
      if (value.is_array())
        for (json::Value& one : value.array()) self(self, one);
      if (!value.is_object()) return;
      for (const char* name : {"accessToken", "begun"}) value.object().erase(name);
      for (auto& [name, member] : value.object()) self(self, member);
    };
    strip(strip, out);
    out["kind"] = "talla-lab esv sent";
    return out;
  }

  const SendWish& wish_;
  Submission of_;
  Wire wire_;
  Sent sent_;
  std::vector<std::vector<DataFile>> data_;
  std::vector<OutFile> documents_;
};

/// The files of each environment, under the names that `data_place` gives.
Result<std::vector<std::vector<DataFile>>> read_data(const Submission& of) {
  std::vector<std::vector<DataFile>> out;
  if (of.source == nullptr) return out;
  for (const json::Value& environment : of.data->array()) {
    std::vector<DataFile>& files = out.emplace_back();
    const auto add = [&](const std::string& what, const json::Value& entry) -> Status {
      TALLA_TRY(OutFile file, out_file(of, entry));
      const json::Value* bits = entry.find("bitsPerSample");
      files.push_back({what, std::move(file), bits != nullptr ? bits->integer() : 0});
      return {};
    };
    TALLA_TRY_STATUS(add("rawNoise", *environment.find("rawNoise")));
    TALLA_TRY_STATUS(add("restart", *environment.find("restart")));
    for (const json::Value& one : list_at(environment, "conditioned"))
      TALLA_TRY_STATUS(
          add("conditioned " + std::to_string(one.find("sequencePosition")->integer()), one));
  }
  return out;
}

/// Nothing is sent that breaks a rule, or that this client cannot carry through.
Status fit(const std::string& text, const SendWish& wish, const Submission& of) {
  TALLA_TRY(const auto findings, examine(text, of.folder, {wish.facts}));
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (findings[i].outcome == Outcome::broken)
      return not_sent("nothing was sent, a rule is broken: " + std::string(rules()[i].request) +
                      ": " + findings[i].faults.front() + " (talla-lab esv says all)");
  if (!of.file.is_object())
    return not_sent("a run file is sent, with its files; this is a bare request");
  if (of.source != nullptr && (of.data == nullptr || of.data->array().empty()))
    return not_sent("run file: entropyAssessment without dataFiles");
  if (of.source == nullptr && of.rbgs == nullptr)
    return not_sent("run file: neither entropyAssessment nor randomBitGenerators to register");
  if (!wish.certify) return {};
  if (of.certify == nullptr) return not_sent("run file: no certify (or give --no-certify)");
  if (of.certify->find("moduleId") == nullptr || of.certify->find("entropyCertificate") != nullptr)
    return not_sent(
        "certify: a full submission has moduleId and no entropyCertificate; changes of a "
        "certificate are not sent by this command");
  return {};
}

}  // namespace

Result<SendEnd> send(const SendWish& wish) {
  std::error_code error;
  const std::string run =
      std::filesystem::is_directory(wish.run, error) ? wish.run + "/run.json" : wish.run;
  std::ifstream file(run, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return not_sent(run + ": cannot be read");
  std::string folder = std::filesystem::path(run).parent_path().string();
  if (folder.empty()) folder = ".";
  TALLA_TRY(Submission submission, read_submission(text.str(), folder, {wish.facts}));
  TALLA_TRY_STATUS(fit(text.str(), wish, submission));
  TALLA_TRY(auto data, read_data(submission));
  std::vector<OutFile> documents;
  if (submission.documents != nullptr)
    for (const json::Value& entry : submission.documents->array()) {
      TALLA_TRY(OutFile document, out_file(submission, entry));
      documents.push_back(std::move(document));
    }
  json::Array digests;
  for (const auto& environment : data)
    for (const DataFile& data_file : environment) digests.emplace_back(data_file.file.sha256);
  for (const OutFile& document : documents) digests.emplace_back(document.sha256);
  const json::Value identity =
      json::Object{{"files", std::move(digests)},
                   {"run_sha256", to_hex(certs::OpensslHashes().sha256({as_bytes(text.str())}))},
                   {"server", wish.server}};
  TALLA_TRY(Wire wire, Wire::open(wish));
  TALLA_TRY(Sent sent,
            Sent::open(wish.state.empty() ? folder + "/esv-state.json" : wish.state, identity));
  return Sending(wish, std::move(submission), std::move(wire), std::move(sent), std::move(data),
                 std::move(documents))
      .run();
}

}  // namespace talla::lab::esv
