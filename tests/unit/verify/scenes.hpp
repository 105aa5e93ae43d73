/// \file
/// Short stories of a table, each logged and made into bundles: a shoe, one shuffled again, draws,
/// a spin, a coup.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "format/body_shoe.hpp"
#include "format/release_format.hpp"
#include "log_builder.hpp"

namespace talla::certs::test {

class Shoe;

/// What a story may be told with; defaults are those of the frozen bundles.
struct SceneOptions {
  Tamper tamper;
  std::function<void(Context&)> context;  ///< changes every context
};

/// An 8-deck shoe: commit, mix, ten cards dealt (the third unseen), closed. Claim: SHOE_CLOSE.
struct ShoeScene {
  Bundle closed;
  Bundle dealt;     ///< claim: the last CARD_DEAL
  Receipt receipt;  ///< of the SHOE_COMMIT
};
[[nodiscard]] ShoeScene shoe_scene(Pki& pki, const SceneOptions& options = {});

/// A deck of poker shuffled again twice with cards that stay out: covered ones of the first root
/// are opened under the second and third, cards of the first and second go back. Claim: SHOE_CLOSE.
struct AgainScene {
  bool covered = true;  ///< disclosure class
  /// What the appliance makes of the cards before they are shuffled again for the first time.
  std::function<void(Bytes&)> lie{};
};
[[nodiscard]] Bundle again_scene(Pki& pki, const AgainScene& scene = {},
                                 const SceneOptions& options = {});
/// The auditor's file of that shoe.
[[nodiscard]] std::string again_openings(Pki& pki);

/// A covered shoe with several roots, one of them picked by its first call. Claim: SHOE_CLOSE.
struct CandidatesScene {
  std::uint32_t candidates = 4;
  /// What happens between SHOE_COMMIT and SHOE_CLOSE.
  std::function<void(Shoe&)> play = dealt;
  ShoeCloseReason reason = ShoeCloseReason::closed;
  std::function<void(std::uint32_t, Bytes&)> lie{};
  std::function<std::uint32_t(std::uint32_t)> secrets_of{};
  static void dealt(Shoe& shoe);
};
[[nodiscard]] Bundle candidates_scene(Pki& pki, const CandidatesScene& scene = {},
                                      const SceneOptions& options = {});

/// What a machine says otherwise, and signs: of what it saw, of what it signs for.
struct ReportLie {
  std::function<void(ShuffleReportBody&)> seen{};
  std::function<void(ReportTerms&)> terms{};
};
/// A deck released to a machine, reported as a match, four cards dealt; then
/// shuffled again and released, card by card this time. Claim: SHOE_CLOSE.
struct ReleasedScene {
  Bundle bundle;
  std::string openings;  ///< the auditor's file
};
struct ReleasedPlan {
  bool covered = false;
  bool machine_only = false;  ///< nothing is dealt here or shuffled again then
  /// What the machine says otherwise, of each of its reports.
  std::vector<ReportLie> lies{2};
};
[[nodiscard]] ReleasedScene released_scene(Pki& pki, const ReleasedPlan& plan = {},
                                           const SceneOptions& options = {});

/// A batch of four: two draws, one voided call, closed. Each draw of `range`.
struct DrawScene {
  Bundle drawn;   ///< claim: the second DRAW
  Bundle voided;  ///< claim: VOID
  Bundle closed;  ///< claim: BATCH_CLOSE
};
[[nodiscard]] DrawScene draw_scene(Pki& pki, const SceneOptions& options = {});

/// Two batches of a client that settles itself: a draw, a core that lapses and opens the next
/// secret, one that opens nothing since its batch is closed, and a draw. Claim: that DRAW.
[[nodiscard]] Bundle lapsed_scene(Pki& pki, const SceneOptions& options = {});

/// A place opened twice by a client that settles itself: a batch and TABLE_CLOSE; then, citing it,
/// TABLE_OPEN, a batch that the file leaves out, and another one. Claim: its DRAW.
[[nodiscard]] Bundle places_scene(Pki& pki, const SceneOptions& options = {});

/// A place opened twice, with another key of its table the second time; between two draws of that
/// opening the log's key changes too. Claim: the second DRAW. The keys of `pki` are others then.
[[nodiscard]] Bundle renewed_scene(Pki& pki, const SceneOptions& options = {});

/// A deck whose order two seats and a partner mix with the table. Claim: SHOE_CLOSE.
[[nodiscard]] Bundle joined_shoe_scene(Pki& pki, const SceneOptions& options = {});
/// Spins with the same contributors: one with all, one that the second seat withholds, one without
/// it.
struct JoinedDrawScene {
  Bundle drawn;     ///< claim: the last DRAW
  Bundle withheld;  ///< claim: VOID
};
[[nodiscard]] JoinedDrawScene joined_draw_scene(Pki& pki, const SceneOptions& options = {});

/// French roulette of es-1977: three bets, one spin. Claim: SETTLEMENT.
[[nodiscard]] Bundle spin_scene(Pki& pki, const SceneOptions& options = {});
/// Punto y banca of es-1977: a shoe, its burns, two bets, one coup. Claim: SETTLEMENT.
[[nodiscard]] Bundle coup_scene(Pki& pki, const SceneOptions& options = {});
/// The same at a table where staff confirm the complete hand. Claim: SETTLEMENT.
[[nodiscard]] Bundle confirmed_scene(Pki& pki, const SceneOptions& options = {});
/// Punto y banca to the end of a shoe. Claim: SETTLEMENT of the coup in which the stop card comes
/// out.
[[nodiscard]] Bundle last_coup_scene(Pki& pki, const SceneOptions& options = {});
/// Punto y banca at a table that mixes in each round: a shoe, its mix and burns, then two coups,
/// each with its mix behind its bets. Claim: SETTLEMENT of the second coup.
struct RoundsScene {
  MixRule mix = MixRule::round;
  /// What is done with the shoe in the second coup, before and behind BETS_CLOSED.
  std::function<void(Shoe&)> before_bets{};
  std::function<void(Shoe&)> behind_bets = mixed;
  std::function<void(Shoe&)> before_round{};
  Panel* panel = nullptr;  ///< contributes to the second coup's calls
  static void mixed(Shoe& shoe);
};
[[nodiscard]] Bundle rounds_scene(Pki& pki, const RoundsScene& scene = {},
                                  const SceneOptions& options = {});
/// A lie: two shoes of the table are sealed and mixed; the coup comes from the one that the rules
/// have not opened. Claim: SETTLEMENT.
[[nodiscard]] Bundle two_shoes_scene(Pki& pki);
/// A lie: a second round is opened while the one of the coup is open. Claim: SETTLEMENT.
[[nodiscard]] Bundle two_rounds_scene(Pki& pki);
/// Blackjack with a jackpot that tables share: two rounds of other tables move it before, then this
/// table's round. Claim: SETTLEMENT; the file holds the meter's whole chain.
[[nodiscard]] Bundle meter_scene(Pki& pki, const SceneOptions& options = {});

/// The same log as two archives, the second from record `middle` on. The bundle holds every record
/// of its log.
struct TwoArchives {
  std::string first;
  std::string second;
};
[[nodiscard]] TwoArchives archives_of(const Bundle& whole, std::uint64_t middle);
/// A log of nothing but draws of two dice as one archive: so many batches, each of 256 CALLs and
/// DRAWs.
[[nodiscard]] std::string draws_archive(Pki& pki, std::uint32_t batches);

}  // namespace talla::certs::test
