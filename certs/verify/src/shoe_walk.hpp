/// \file
/// The walk along one shoe's records: commitments, mixes, cards, releases, reports, and every
/// shuffle once its secrets are open (shoe_steps.cpp, shoe_close_steps.cpp). Private to
/// certs_verify.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence.hpp"
#include "format/body_release.hpp"
#include "format/body_shoe.hpp"
#include "format/mix.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs {

/// What a shoe was committed with, where it has several roots to pick from.
struct Several {
  /// Seqs of the VOIDs of a core that named the shoe, ascending.
  std::vector<std::uint64_t> lapses{};
  std::uint64_t commit = 0;  ///< seq of its SHOE_COMMIT
  std::uint32_t roots = 1;   ///< of that
  bool spoiled = false;      ///< a call ended before one of them was picked
  /// Whether a core that named it lapsed behind its commitment and before this record.
  [[nodiscard]] bool lapsed_before(std::uint64_t seq) const {
    return std::ranges::any_of(lapses,
                               [&](std::uint64_t lapse) { return commit < lapse && lapse < seq; });
  }
};

/// Follows one shoe from its commitment; each card that was opened is kept for the close.
class ShoeWalk {
 public:
  /// `bets`: where each round is mixed, the seqs of the table's BETS_CLOSED (last parts),
  /// ascending.
  /// `lapses`: seqs of the VOIDs of a core that named this shoe, ascending.
  ShoeWalk(Evidence& evidence, std::string id, std::vector<std::uint64_t> bets,
           std::vector<std::uint64_t> lapses)
      : evidence_(evidence),
        id_(std::move(id)),
        bets_(std::move(bets)),
        several_{.lapses = std::move(lapses)} {}

  Status step(const Record& record) {
    if (closed_ != nullptr)
      return refuse(VerifyErrc::object_closed, record, "the shoe was closed before");
    pass_bets(record);
    switch (record.kind) {
      case Kind::shoe_commit:
        return commit(record);
      case Kind::call:
        return call(record);
      case Kind::shoe_mix:
        return mix(record);
      case Kind::void_call:
        return void_call(record);
      case Kind::card_deal:
        return deal(record);
      case Kind::card_open:
        return open(record);
      case Kind::shoe_close:
        return close(record);
      case Kind::shoe_recommit:
        return recommit(record);
      case Kind::shoe_release:
        return release(record);
      case Kind::shuffle_report:
        return report(record);
      default:
        return {};
    }
  }
  /// The auditor's openings of this covered shoe, when they are given: every shuffle is run again.
  Status check_openings();
  void conclude();

 private:
  /// A dealt position; the opening once there is one.
  struct Dealt {
    std::string place;
    Face face = Face::open;
    std::optional<CardOpening> opening;
    bool returned = false;  ///< it went back at a SHOE_RECOMMIT
  };

  /// One root: its commitment, its mix, the positions dealt under it.
  struct Layer {
    ShoeCommitBody commit;
    std::vector<std::uint32_t> returned;  ///< positions of the layer before that went into it
    std::vector<OlderCards> older;        ///< those of layers before that one
    std::optional<CallCore> call{};       ///< of its CALL
    Mix mix{};                            ///< empty before its first SHOE_MIX
    bool mix_due = true;                  ///< before the next card
    std::size_t burned = 0;               ///< cards dealt outside rounds
    bool played = false;                  ///< a card was dealt in a round
    std::vector<Dealt> dealt{};
    std::optional<ShoeReleaseBody> release{};
    std::uint64_t release_seq = 0;
    Digest released{};  ///< chain_head of the table with the SHOE_RELEASE
    std::vector<ShuffleReportBody> reports{};
  };

  /// Bets closed before this record make another mix due.
  void pass_bets(const Record& record);
  Status commit(const Record& record);
  Status recommit(const Record& record);
  Status check_recommit(const Record& record, const ShoeRecommitBody& body) const;
  Status put_back(const Record& record, Layer& layer, const std::vector<std::uint32_t>& positions);
  Status call(const Record& record);
  Status mix(const Record& record);
  Status void_call(const Record& record);
  Status deal(const Record& record);
  /// Where the appliance settles only burns stand outside rounds, before the first of the root.
  Status check_outside(const Record& record, const CardDealBody& body);
  Status check_copies(const Record& record, const CardDealBody& body);
  Status open(const Record& record);
  Status close(const Record& record);
  /// The stop card was asked for under the newest root, or came out under one before.
  [[nodiscard]] bool stop_card_came() const;
  Status check_opening(const Record& record, const Layer& layer, std::uint32_t position,
                       const CardOpening& opening);
  Status release(const Record& record);
  Status report(const Record& record);
  /// What of a match report follows from the opened key and order.
  Status check_reports(const Record& record, const Digest& key, const Layer& layer,
                       const shuffle::SecretCards& order);
  void conclude_release(const Layer& layer);
  void conclude_burns();
  /// `opened`: of each root, oldest first.
  Status check_disclosures(const Record& record, const std::vector<ShoeDisclosure>& opened);
  /// `order`: the cards that the layer's shuffle began with; afterwards the shuffled ones.
  Status check_disclosure(const Record& record, const ShoeDisclosure& opened, const Layer& layer,
                          shuffle::SecretCards& order);
  Status rerun_shuffle(const Record& record, const ShoeDisclosure& opened,
                       shuffle::SecretCards& order) const;

  Evidence& evidence_;
  std::string id_;
  std::vector<std::uint64_t> bets_;
  std::size_t bets_passed_ = 0;
  Several several_;
  std::vector<Layer> replaced_;  // oldest first
  Layer layer_;                  // the newest root
  std::optional<shuffle::DeckSpec> deck_;
  std::map<std::string, int> opened_copies_;  // lying open: without those that went back
  bool rerun_ = false;
  bool by_openings_ =
      false;  // the secrets come from the auditor's file, which has no account of the tape
  const Record* closed_ = nullptr;
  bool voided_ = false;
};

}  // namespace talla::certs
