// What refusals of evidence say, in English and Spanish: one sentence a code.
#include "verify/refusals.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "format/archive.hpp"
#include "format/errc.hpp"
#include "refusal_rules.hpp"
#include "verify/certified.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {
namespace {

template <ModuleErrc E>
EvidenceRefusal sentence(E errc, std::string_view en, std::string_view es) {
  return {errc_name(errc), static_cast<std::uint16_t>(errc), en, es};
}

using Format = FormatErrc;
using Verify = VerifyErrc;
using Cover = CertificationErrc;

/// Ascending by number; those of single rules stand behind them (refusal_rules.cpp).
const std::array first_sentences{
    sentence(BaseErrc::malformed_json, "a part of the file is no JSON",
             "una parte del fichero no es JSON"),
    sentence(BaseErrc::not_canonical, "a text is not spelled in the one way that is allowed",
             "un texto no está escrito de la única forma admitida"),
    sentence(BaseErrc::malformed_encoding, "bytes written as text cannot be read back",
             "unos bytes escritos como texto no se pueden leer"),
    sentence(BaseErrc::io, "a file cannot be read", "un fichero no se puede leer"),
    sentence(Format::malformed_record, "a record is badly formed, or damaged",
             "un asiento está mal formado o dañado"),
    sentence(Format::unknown_version, "a record is of another version of the format",
             "un asiento es de otra versión del formato"),
    sentence(Format::record_too_long, "a record is longer than a record may be",
             "un asiento es más largo de lo que puede ser"),
    sentence(Format::malformed_body, "what a record holds does not fit its kind",
             "el contenido de un asiento no corresponde a su clase"),
    sentence(Format::malformed_context,
             "a commitment does not say properly what it rests on (source, software, settings)",
             "un compromiso no dice como debe en qué se apoya (fuente, programa, ajustes)"),
    sentence(Format::index_out_of_range, "a record's number lies outside the log",
             "el número de un asiento queda fuera del registro"),
    sentence(Format::proof_length, "the proof that a record is in the log has the wrong length",
             "la demostración de que un asiento está en el registro no tiene la longitud debida"),
    sentence(Format::wrong_root, "a proof leads to another log than the signed one",
             "una demostración lleva a otro registro que el firmado"),
    sentence(Format::malformed_note, "a signed text does not have the form of one",
             "un texto firmado no tiene la forma debida"),
    sentence(Format::malformed_checkpoint, "the checkpoint does not have the form of one",
             "el punto de control no tiene la forma debida"),
    sentence(Format::malformed_proof, "the text of a proof does not have the form of one",
             "el texto de una demostración no tiene la forma debida"),
    sentence(Format::malformed_receipt,
             "the receipt does not have the form of one, or its parts disagree",
             "el recibo no tiene la forma debida, o sus partes no concuerdan"),
    sentence(Format::malformed_tile, "a stored piece of the log does not have the form of one",
             "un trozo guardado del registro no tiene la forma debida"),
    sentence(Format::malformed_specification, "what is to be drawn is not described properly",
             "lo que se sortea no está bien descrito"),
    sentence(Format::malformed_mix, "the mix of a shoe is not described properly",
             "la mezcla de un sabot no está bien descrita"),
    sentence(Format::malformed_statement, "the statement about the log's key is not one",
             "la declaración de la clave del registro no tiene la forma debida"),
    sentence(Format::malformed_bundle, "the file is no evidence file, or is damaged",
             "el fichero no es un fichero de prueba, o está dañado"),
    sentence(Format::unknown_kind, "there is no record of that kind",
             "no existe ninguna clase de asiento con ese nombre"),
    sentence(Format::malformed_key, "a verifier's key is misspelled",
             "una clave de verificación está mal escrita"),
    sentence(Format::malformed_cosignature, "a witness's signature does not have the form of one",
             "la firma de un testigo no tiene la forma debida"),
    sentence(Format::malformed_policy, "the policy of witnesses cannot be read",
             "la política de testigos no se puede leer"),
    sentence(Format::malformed_submission, "what was sent to a witness does not have its form",
             "lo enviado a un testigo no tiene la forma debida"),
    sentence(Format::malformed_certification,
             "a certification, or its withdrawal, does not have the form of one",
             "una certificación, o su retirada, no tiene la forma debida"),
    sentence(ArchiveErrc::malformed_archive,
             "the file is no sealed archive, or is damaged or cut short",
             "el fichero no es un archivo sellado, o está dañado o incompleto"),
    sentence(
        ArchiveErrc::archive_differs,
        "the archive is not what its head, its checkpoint or the archive before say",
        "el archivo sellado no es lo que dicen su cabecera, su punto de control o el anterior"),
    sentence(Cover::certification_missing, "a certification of that kind is missing",
             "falta una certificación de esa clase"),
    sentence(Cover::certification_untrusted,
             "who signed the certification does not lead to a root that you named for it",
             "quien firmó la certificación no lleva a ninguna raíz indicada para ella"),
    sentence(Cover::certification_name,
             "the signer's certificate is for another issuer or another kind of text",
             "el certificado de quien firma es de otro emisor o para otra clase de texto"),
    sentence(Cover::certification_usage, "the signer's key is not for signing certifications",
             "la clave de quien firma no es para firmar certificaciones"),
    sentence(Cover::certification_signature, "the certification's signature is wrong",
             "la firma de la certificación no es correcta"),
    sentence(Cover::certification_nothing, "there is no commitment that could be certified",
             "no hay ningún compromiso que certificar"),
    sentence(Cover::certification_origin, "the certified installation is that of another log",
             "la instalación certificada es la de otro registro"),
    sentence(Cover::certification_key, "the log never had the key that is certified",
             "el registro nunca tuvo la clave certificada"),
    sentence(Cover::certification_type, "the installation is certified for another type",
             "la instalación está certificada para otro tipo"),
    sentence(Cover::certification_record,
             "software and settings of the start are not both cited and at hand",
             "no constan a la vez el programa y los ajustes del arranque"),
    sentence(Cover::certification_development, "keys or settings are those of development",
             "las claves o los ajustes son de desarrollo"),
    sentence(Cover::certification_unnamed, "the appliance did not name this certification",
             "el equipo no nombró esta certificación"),
    sentence(Cover::certification_late, "the certification was made after the start it shall cover",
             "la certificación se hizo después del arranque que debería cubrir"),
    sentence(Cover::certification_clock, "the appliance did not know the time",
             "el equipo no sabía la hora"),
    sentence(Cover::certification_time, "the certification was not in force at that time",
             "la certificación no estaba vigente en ese momento"),
    sentence(Cover::certification_withdrawn, "the certification was withdrawn",
             "la certificación se retiró"),
    sentence(Cover::certification_serial_twice,
             "another certified installation has the same device",
             "otra instalación certificada tiene el mismo dispositivo"),
    sentence(Cover::certification_manifest, "that software is not certified",
             "ese programa no está certificado"),
    sentence(Cover::certification_settings, "those settings are not certified",
             "esos ajustes no están certificados"),
    sentence(Cover::certification_format, "that format or way of drawing is not certified",
             "ese formato o esa forma de sortear no están certificados"),
    sentence(Cover::certification_catalogue, "those rules are not certified",
             "esas reglas no están certificadas"),
    sentence(Cover::certification_uncertified,
             "the commitment itself says that its source does not count",
             "el propio compromiso dice que su fuente no cuenta"),
    sentence(Cover::certification_source,
             "that source is not certified, or not with the figure that was claimed",
             "esa fuente no está certificada, o no con la cifra que se declara"),
    sentence(Cover::certification_assessment, "the report behind the source's figure is not listed",
             "el informe en que se apoya la cifra de la fuente no figura"),
    sentence(Cover::certification_serial, "that device is not certified",
             "ese dispositivo no está certificado"),
    sentence(Cover::certification_independent,
             "several devices count together and are not certified to be independent",
             "cuentan juntos varios dispositivos sin certificar que sean independientes"),
    sentence(Cover::certification_policy,
             "protection against going back, or sealing, is below what is certified",
             "la protección contra la vuelta atrás o el sellado no llegan a lo certificado"),
    sentence(Cover::certification_table,
             "the table mixes its shoes less often, or out of fewer candidates, than is certified",
             "la mesa mezcla sus sabots menos veces, o entre menos candidatos, de lo certificado"),
    sentence(Verify::round_settled, "a round was settled twice, or went on behind its settlement",
             "una jugada se liquidó dos veces, o siguió tras liquidarse"),
    sentence(Verify::round_unfinished, "a round was settled before it was over",
             "una jugada se liquidó antes de terminar"),
    sentence(Verify::stop_card_early, "a shoe was ended by a stop card that cannot have come yet",
             "un sabot se cerró por una carta de bloqueo que aún no pudo salir"),
    sentence(Verify::card_undue,
             "a card was thrown away, or kept, where the rules do not burn it so",
             "se apartó una carta, o se dejó de apartar, sin que lo mandaran las reglas"),
    sentence(Verify::state_jump, "a round does not begin with what the one before it left",
             "una jugada no empieza con lo que dejó la anterior"),
    sentence(Verify::state_first, "the first round does not begin as the rules of the game begin",
             "la primera jugada no empieza como mandan las reglas del juego"),
    sentence(Verify::stake_before, "stakes stood on the table that were no bets of this round",
             "había en la mesa apuestas que no eran de esta jugada"),
    sentence(Verify::batch_missing, "a draw of the round is of secrets whose commitment is missing",
             "un sorteo de la jugada es de unos secretos cuyo compromiso falta"),
    sentence(Verify::certificate_form, "a certificate has a key or content that is not allowed",
             "un certificado tiene una clave o un contenido que no se admite"),
    sentence(Verify::answer_twice, "the log holds two answers to one turn of another log's table",
             "el registro tiene dos respuestas a un mismo turno de una mesa de otro registro"),
    sentence(Verify::answer_back, "an answer does not go on from the one before of its key",
             "una respuesta no continúa la anterior de su clave"),
    sentence(Verify::answer_signature, "an answer is not signed by the key it is said of",
             "una respuesta no la firmó la clave de la que se dice"),
    sentence(Verify::answer_own, "an answer is to a call of the log that holds it",
             "una respuesta es a una llamada del mismo registro que la guarda"),
    sentence(Verify::candidate_wrong,
             "a shoe was not picked from its sealed orders as it must be, or one of the others is "
             "no whole deck",
             "un sabot no se escogió entre sus órdenes sellados como se debe, o uno de los otros "
             "no es una baraja completa"),
    sentence(Verify::order_wrong, "two persons did not sign that it is called for again",
             "dos personas no firmaron que se repita la llamada"),
    sentence(Verify::void_limit, "it was tried again too often without two persons' order",
             "se repitió demasiadas veces sin orden de dos personas"),
    sentence(Verify::contributor_dropped,
             "a repeated call leaves out somebody who had not been missing",
             "una llamada repetida deja fuera a alguien que no había faltado"),
    sentence(Verify::untrusted_chain, "the signer's certificates do not lead to your trusted root",
             "los certificados de quien firma no llevan a su raíz de confianza"),
    sentence(Verify::wrong_statement, "the statement about the log's key does not hold",
             "la declaración de la clave del registro no se sostiene"),
    sentence(Verify::wrong_signature, "the checkpoint is not signed by the log's key",
             "el punto de control no está firmado con la clave del registro"),
    sentence(Verify::wrong_origin, "the parts of the file come from different logs",
             "las partes del fichero son de registros distintos"),
    sentence(Verify::not_included, "a record is not in the signed log: it was changed or made up",
             "un asiento no está en el registro firmado: lo han cambiado o es inventado"),
    sentence(Verify::gap, "a record on which all rests is not in the file",
             "falta en el fichero un asiento en que se apoya todo"),
    sentence(Verify::wrong_citation, "the settlement does not cite all that it rests on",
             "la liquidación no cita todo aquello en que se apoya"),
    sentence(Verify::wrong_commitment, "a shuffle that was opened does not give the sealed order",
             "una barajadura que se abrió no da el orden sellado"),
    sentence(Verify::wrong_opening, "a card is not the one that was sealed",
             "una carta no es la sellada"),
    sentence(Verify::wrong_position, "a card does not come from the place where the mix put it",
             "una carta no sale del lugar en que la dejó la mezcla"),
    sentence(Verify::wrong_mapping, "the outcome does not follow from the secret and the call",
             "el resultado no se sigue del secreto y de la llamada"),
    sentence(Verify::wrong_settlement, "the rules of the game give another settlement",
             "las reglas del juego dan otra liquidación"),
    sentence(Verify::unsupported_claim, "no evidence file can prove what is claimed",
             "ningún fichero de prueba puede demostrar lo que se afirma"),
    sentence(Verify::bad_root_file, "a file of trusted roots cannot be used",
             "un fichero de raíces de confianza no se puede usar"),
    sentence(Verify::rules_unavailable, "the rules of the game are not there, or cannot be read",
             "las reglas del juego no están, o no se pueden leer"),
    sentence(Verify::unwitnessed, "not enough of the witnesses that you require have signed",
             "no han firmado los testigos que usted exige"),
    sentence(Verify::log_ended, "the root ended this log, and nothing shows that this counts",
             "la raíz dio por terminado este registro, y nada muestra que esto valga"),
    sentence(Verify::contradicting_ends, "two statements about the end of the log disagree",
             "dos declaraciones sobre el final del registro se contradicen"),
    sentence(Verify::link_gap, "a record of the table was left out, or does not continue the last",
             "falta un asiento de la mesa, o no enlaza con el anterior"),
    sentence(Verify::place_gap,
             "the opening of the table does not follow the one before at its place",
             "la apertura de la mesa no sigue a la anterior en su lugar"),
    sentence(Verify::two_rounds, "two rounds of the table run at once, or a round that is not open",
             "corren a la vez dos jugadas de la mesa, o una que no está abierta"),
    sentence(Verify::two_live, "two shoes of the table are live at once, or one that is not",
             "hay a la vez dos sabots en juego en la mesa, o uno que no lo está"),
    sentence(Verify::totals_wrong, "the running counts of the table are not those of its records",
             "las cuentas de la mesa no son las de sus asientos"),
    sentence(Verify::number_gap, "rounds or shoes of the table do not count up by one",
             "las jugadas o los sabots de la mesa no se numeran de uno en uno"),
    sentence(Verify::unknown_kind, "a record is of a kind that the format does not have",
             "un asiento es de una clase que el formato no tiene"),
    sentence(Verify::turn_gap, "a call of the table is missing", "falta una llamada de la mesa"),
    sentence(Verify::turn_open, "something was done while a call still waited for its result",
             "se hizo algo mientras una llamada aún esperaba su resultado"),
    sentence(Verify::core_mismatch, "what the table signed is not what its records say",
             "lo que firmó la mesa no es lo que dicen sus asientos"),
    sentence(Verify::head_wrong, "the table signed for another state of its records",
             "la mesa firmó sobre otro estado de sus asientos"),
    sentence(Verify::root_unknown, "the table signed for another shoe or other secrets",
             "la mesa firmó para otro sabot u otros secretos"),
    sentence(Verify::call_signature, "a call is not signed with the table's key",
             "una llamada no está firmada con la clave de la mesa"),
    sentence(Verify::table_key, "the table's key is none, or not its own",
             "la clave de la mesa no es válida, o no es la suya"),
    sentence(Verify::mix_missing, "a card comes from a shoe that was not mixed when it had to be",
             "una carta sale de un sabot que no se mezcló cuando debía"),
    sentence(Verify::mix_early, "a shoe was mixed without the table's call",
             "un sabot se mezcló sin la llamada de la mesa"),
    sentence(Verify::mix_twice, "a shoe was mixed more often than the rules have it",
             "un sabot se mezcló más veces de las que mandan las reglas"),
    sentence(Verify::lapsed_wrong, "a call was let lapse that could stand, or its secret was kept",
             "se dejó caer una llamada que aún valía, o no se abrió su secreto"),
    sentence(Verify::others_order, "those who contribute to a call are not in order",
             "quienes aportan a una llamada no están en orden"),
    sentence(Verify::duplicate, "one key has two parts in a call, or one name two keys",
             "en una llamada una clave cuenta dos veces, o un nombre tiene dos claves"),
    sentence(Verify::t_gap, "a number that somebody was to contribute is left out, or used again",
             "se salta un número de alguien que aporta, o se usa dos veces"),
    sentence(Verify::commit_mismatch, "a contributed number is not the one that was fixed before",
             "un número aportado no es el que se había fijado antes"),
    sentence(Verify::opening_signature, "a contributed number is not signed by whom it is said of",
             "un número aportado no lo firmó quien se dice"),
    sentence(Verify::openings_count,
             "a result has not exactly the numbers of those who were named for it",
             "un resultado no lleva exactamente los números de quienes estaban nombrados"),
    sentence(Verify::required_missing, "a call leaves out somebody without whom none may be made",
             "una llamada deja fuera a alguien sin quien no se puede hacer"),
    sentence(Verify::missing_wrong, "somebody is said to be late who was not asked",
             "se dice que falta alguien a quien no se esperaba"),
    sentence(Verify::withheld_early, "a call was given up before the time for answers was over",
             "se abandonó una llamada antes de que acabara el plazo para responder"),
    sentence(Verify::not_mine, "your key has no part in this",
             "la clave de usted no ha aportado nada a esto"),
    sentence(Verify::release_early, "a machine was given an order that each round mixes anew",
             "una máquina recibió un orden que cada jugada vuelve a mezclar"),
    sentence(Verify::void_order, "a call was ended without the order of two persons that it names",
             "se anuló una llamada sin la orden de dos personas que dice"),
    sentence(Verify::early_close,
             "a shoe or table was ended early without the order of two persons",
             "un sabot o una mesa se cerró antes de tiempo sin orden de dos personas"),
    sentence(Verify::shoe_before,
             "the first call of a shoe does not rest on the end of the one before",
             "la primera llamada de un sabot no se apoya en el cierre del anterior"),
    sentence(Verify::dealt_wrong, "a round's end counts other cards than were dealt",
             "el fin de una jugada cuenta otras cartas que las repartidas"),
};

/// All of them, ascending by number.
const std::vector<EvidenceRefusal>& sentence_table() {
  static const auto all = [] {
    std::vector<EvidenceRefusal> out(first_sentences.begin(), first_sentences.end());
    const auto rules = rule_refusals();
    out.insert(out.end(), rules.begin(), rules.end());
    return out;
  }();
  return all;
}

constexpr std::string_view other_en = "the evidence could not be judged";
constexpr std::string_view other_es = "la prueba no se pudo juzgar";

/// What details begin with, beside records and objects.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> place_table{{
    {"bundle", "fichero de prueba"},
    {"catalogue", "catálogo"},
    {"certificates", "certificados"},
    {"certification roots", "raíces de certificación"},
    {"checkpoint", "punto de control"},
    {"header", "cabecera"},
    {"key change", "cambio de clave"},
    {"known key", "clave conocida"},
    {"log key", "clave del registro"},
    {"policy", "política"},
    {"receipt", "recibo"},
    {"record", "asiento"},
    {"trusted roots", "raíces de confianza"},
}};

bool digits_only(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char one) { return std::isdigit(one) != 0; });
}

/// "record 38" and "record 38 (BETS_CLOSED)" in Spanish; empty: no record.
std::string record_place(std::string_view part) {
  constexpr std::string_view word = "record ";
  if (!part.starts_with(word)) return {};
  const auto rest = part.substr(word.size());
  const auto number = rest.substr(0, rest.find(' '));
  const bool kind = rest.size() == number.size() ||
                    (rest.substr(number.size()).starts_with(" (") && rest.ends_with(')'));
  return digits_only(number) && kind ? "asiento " + std::string(rest) : std::string();
}

/// "shoe-17": said alike in every language.
bool object_place(std::string_view part) {
  const auto dash = part.rfind('-');
  return dash != std::string_view::npos && dash > 0 && digits_only(part.substr(dash + 1)) &&
         std::ranges::all_of(part.substr(0, dash), [](unsigned char one) {
           return std::islower(one) != 0 || one == '-';
         });
}

/// The place in Spanish; empty: it is none.
std::string place_in_spanish(std::string_view part) {
  if (auto record = record_place(part); !record.empty()) return record;
  if (object_place(part)) return std::string(part);
  const auto* found =
      std::ranges::find(place_table, part, &decltype(place_table)::value_type::first);
  return found == place_table.end() ? std::string() : std::string(found->second);
}

}  // namespace

std::span<const EvidenceRefusal> evidence_refusals() {
  return sentence_table();
}

std::string_view refusal_sentence(std::uint16_t number, std::string_view language) {
  const auto found = std::ranges::find(sentence_table(), number, &EvidenceRefusal::number);
  const bool spanish = language == "es";
  if (found == sentence_table().end()) return spanish ? other_es : other_en;
  return spanish ? found->es : found->en;
}

std::string_view refusal_sentence(std::string_view code, std::string_view language) {
  const auto found = std::find_if(sentence_table().rbegin(), sentence_table().rend(),
                                  [&](const EvidenceRefusal& one) { return one.code == code; });
  return refusal_sentence(found == sentence_table().rend() ? std::uint16_t{0} : found->number,
                          language);
}

RefusalWords refusal_words(const Error& error, std::string_view language) {
  RefusalWords out{
      std::string(refusal_sentence(error.number, language)), error.code, {}, error.detail};
  const std::string_view detail = error.detail;
  const auto colon = detail.find(": ");
  if (colon == std::string_view::npos) return out;
  const auto place = place_in_spanish(detail.substr(0, colon));
  if (place.empty()) return out;
  out.where = language == "es" ? place : std::string(detail.substr(0, colon));
  out.detail = detail.substr(colon + 2);
  return out;
}

std::string not_valid_line(const Error& error, std::string_view language) {
  const bool spanish = language == "es";
  const auto words = refusal_words(error, language);
  std::string out = spanish ? "NO VÁLIDO: " : "NOT VALID: ";
  out += words.sentence + " [" + std::string(words.code) + "]";
  if (!words.where.empty()) out += ": " + words.where;
  if (words.detail.empty()) return out;
  return out +
         (spanish ? " (detalle técnico, en inglés: " + words.detail + ")" : ": " + words.detail);
}

std::string evidence_refusals_page() {
  std::string out =
      "# Refusals of evidence\n\n"
      "Each code with which evidence is refused or not called certified, and its sentence in both\n"
      "languages, as `talla verify` says it. Written by `rngd/packaging/pages` from `talla docs\n"
      "refusals`. When a verifier has to refuse stands in [FORMAT](../FORMAT.md).\n\n"
      "| code | number | in English | in Spanish |\n|---|---|---|---|\n";
  for (const auto& one : sentence_table()) {
    out += "| `" + std::string(one.code) + "` | " + std::to_string(one.number) + " | " +
           std::string(one.en) + " | " + std::string(one.es) + " |\n";
  }
  return out;
}

}  // namespace talla::certs
