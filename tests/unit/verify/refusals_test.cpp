// Goal: each code with which evidence is refused says one sentence in each language, and the tables
// of FORMAT.md know the same codes and numbers.
// Method: every number that the modules may have is tried; FORMAT.md is read; details are taken
// apart.
#include "verify/refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "format/archive.hpp"
#include "format/errc.hpp"
#include "support/source_tree.hpp"
#include "verify/certified.hpp"

namespace talla::certs {
namespace {

using NumberedCodes = std::map<std::uint16_t, std::string>;

template <class E>
void collect_codes(NumberedCodes& codes) {
  for (std::uint16_t number = 1; number < 1000; ++number) {
    const auto name = errc_name(static_cast<E>(number));
    if (name == "unknown") continue;
    EXPECT_TRUE(codes.emplace(number, name).second) << number << " is given twice: " << name;
  }
}

NumberedCodes codes_of_modules() {
  NumberedCodes codes;
  collect_codes<BaseErrc>(codes);
  collect_codes<FormatErrc>(codes);
  collect_codes<ArchiveErrc>(codes);
  collect_codes<VerifyErrc>(codes);
  collect_codes<CertificationErrc>(codes);
  return codes;
}

/// Rows "| `code` | number |" of FORMAT.md.
NumberedCodes codes_of_format_page() {
  std::ifstream page(talla::test::source_tree() / "certs/FORMAT.md");
  const std::regex row(R"(^\| `([a-z_]+)` \| (\d{3}) \|.*)");
  NumberedCodes codes;
  for (std::string line; std::getline(page, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    EXPECT_TRUE(codes.emplace(std::stoi(found[2]), found[1]).second) << line;
  }
  return codes;
}

TEST(EvidenceRefusals, have_a_sentence_for_every_code_and_no_other) {
  NumberedCodes said;
  for (const auto& one : evidence_refusals()) said.emplace(one.number, one.code);
  EXPECT_EQ(said, codes_of_modules());
  EXPECT_TRUE(std::ranges::is_sorted(evidence_refusals(), std::less(), &EvidenceRefusal::number));
}

TEST(EvidenceRefusals, say_each_sentence_once_and_differently_in_each_language) {
  std::set<std::string_view> seen;
  for (const auto& one : evidence_refusals()) {
    EXPECT_TRUE(seen.insert(one.en).second && seen.insert(one.es).second) << one.code;
    for (const auto text : {one.en, one.es}) {
      EXPECT_GT(text.size(), 15U) << one.code;
      EXPECT_EQ(text.find_first_of("[]{}|\n"), std::string_view::npos) << text;
      EXPECT_NE(text.back(), '.') << text;
    }
    EXPECT_EQ(refusal_sentence(one.number, "en"), one.en);
    EXPECT_EQ(refusal_sentence(one.number, "es"), one.es);
  }
}

TEST(EvidenceRefusals, are_those_of_the_tables_of_the_format) {
  const auto page = codes_of_format_page();
  const auto known = codes_of_modules();
  for (const auto& [number, code] : page) {
    const auto found = known.find(number);
    ASSERT_NE(found, known.end()) << code;
    EXPECT_EQ(found->second, code) << number;
  }
  // All but what is badly formed.
  for (const auto& [number, code] : known) {
    const bool listed = (number >= 550 && number < 600) || number >= 600;
    EXPECT_EQ(page.contains(number), listed) << code;
  }
}

TEST(EvidenceRefusals, tell_the_place_apart_from_the_detail) {
  const Error error(VerifyErrc::not_included,
                    "record 38 (BETS_CLOSED): inclusion: the path leads to another root");
  EXPECT_EQ(not_valid_line(error, "en"),
            "NOT VALID: a record is not in the signed log: it was changed or made up "
            "[not_included]: record 38 (BETS_CLOSED): inclusion: the path leads to another root");
  EXPECT_EQ(not_valid_line(error, "es"),
            "NO VÁLIDO: un asiento no está en el registro firmado: lo han cambiado o es inventado "
            "[not_included]: asiento 38 (BETS_CLOSED) (detalle técnico, en inglés: inclusion: the "
            "path leads to another root)");
}

TEST(EvidenceRefusals, name_records_objects_and_parts_of_the_file_as_places) {
  const auto where = [](std::string detail) {
    return refusal_words(Error(VerifyErrc::gap, std::move(detail)), "es").where;
  };
  EXPECT_EQ(where("record 4: x"), "asiento 4");
  EXPECT_EQ(where("record: object: x"), "asiento");
  EXPECT_EQ(where("shoe-17: x"), "shoe-17");
  EXPECT_EQ(where("key change: time goes back"), "cambio de clave");
  EXPECT_EQ(where("trusted roots: cut short"), "raíces de confianza");
  EXPECT_EQ(where("record of it: x"), "");
  EXPECT_EQ(where("record 4 or so: x"), "");
  EXPECT_EQ(where("the records do not ascend"), "");
  EXPECT_EQ(where(""), "");
}

TEST(EvidenceRefusals, keep_the_whole_detail_of_what_has_no_place) {
  const Error error(VerifyErrc::gap, "the bundle does not hold the record it claims");
  EXPECT_EQ(not_valid_line(error, "es"),
            "NO VÁLIDO: falta en el fichero un asiento en que se apoya todo [gap] "
            "(detalle técnico, en inglés: the bundle does not hold the record it claims)");
  EXPECT_EQ(not_valid_line(Error(VerifyErrc::gap, ""), "es"),
            "NO VÁLIDO: falta en el fichero un asiento en que se apoya todo [gap]");
}

TEST(EvidenceRefusals, tell_two_codes_of_one_name_apart_by_their_numbers) {
  const Error written(FormatErrc::unknown_kind, "");
  const Error read(VerifyErrc::unknown_kind, "");
  ASSERT_EQ(written.code, read.code);
  EXPECT_NE(not_valid_line(written, "es"), not_valid_line(read, "es"));
  EXPECT_EQ(refusal_sentence(read.code, "es"), refusal_sentence(read.number, "es"));
}

TEST(EvidenceRefusals, of_a_code_of_elsewhere_say_that_nothing_could_be_judged) {
  EXPECT_EQ(refusal_sentence("bet_refused", "es"), "la prueba no se pudo juzgar");
  EXPECT_EQ(refusal_sentence("bet_refused", "en"), "the evidence could not be judged");
}

TEST(EvidenceRefusals, are_all_on_their_page) {
  const auto page = evidence_refusals_page();
  for (const auto& one : evidence_refusals()) {
    const auto row = "| `" + std::string(one.code) + "` | " + std::to_string(one.number) + " | " +
                     std::string(one.en) + " | " + std::string(one.es) + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace talla::certs
