/// \file
/// Short stories of a table, each logged and made into bundles: a shoe, one shuffled again, draws, a spin, a coup.
#pragma once

#include <string>

#include "log_builder.hpp"

namespace talla::certs::test {

/// What a story may be told with; defaults are those of the frozen bundles.
struct SceneOptions {
  Tamper tamper;
  std::function<void(Context&)> context;  ///< changes every context
};

/// An 8-deck shoe: commit, cut, ten cards dealt (the third unseen), closed. Claim: SHOE_CLOSE.
struct ShoeScene {
  Bundle closed;
  Bundle dealt;     ///< claim: the last CARD_DEAL
  Receipt receipt;  ///< of the SHOE_COMMIT
};
[[nodiscard]] ShoeScene shoe_scene(Pki& pki, const SceneOptions& options = {});

/// A deck of poker shuffled again twice with cards that stay out: covered ones of the first root are opened under the second
/// and third, cards of the first and second go back. Claim: SHOE_CLOSE.
struct AgainScene {
  bool covered = true;  ///< disclosure class
  std::function<void(Bytes&)>
      lie{};  ///< what the appliance makes of the cards before they are shuffled again for the first time
};
[[nodiscard]] Bundle again_scene(Pki& pki, const AgainScene& scene = {}, const SceneOptions& options = {});

/// A batch of four: two draws, one voided intent, closed. Each draw of `range`.
struct DrawScene {
  Bundle drawn;   ///< claim: the second DRAW
  Bundle voided;  ///< claim: VOID
  Bundle closed;  ///< claim: BATCH_CLOSE
};
[[nodiscard]] DrawScene draw_scene(Pki& pki, const SceneOptions& options = {});

/// French roulette of es-1977: three bets, one spin. Claim: SETTLEMENT.
[[nodiscard]] Bundle spin_scene(Pki& pki, const SceneOptions& options = {});
/// Punto y banca of es-1977: a shoe, its burns, two bets, one coup. Claim: SETTLEMENT.
[[nodiscard]] Bundle coup_scene(Pki& pki, const SceneOptions& options = {});

}  // namespace talla::certs::test
