#include "scenes.hpp"

#include <utility>

#include "base/check.hpp"
#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "story.hpp"

namespace talla::certs::test {
std::string open_client_table(LogBuilder& log, Context& context, json::Value parameters,
                              std::uint32_t candidates) {
  TableOpenBody table;
  table.policy.candidates = candidates;
  table.place = "Mesa 1";
  table.parameters = std::move(parameters);
  table.settled_by_client = true;
  log.name_key(table);
  context.parameters = parameters_digest(log.hashes, table.parameters);
  return object_id("table", log.add({Kind::table_open, "", table.to_json(), {}}));
}

ShoeScene shoe_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  log.add({Kind::power, "", json::Object{{"clean", true}, {"event", "start"}}, {}});
  Context context = story_context(options);
  const std::string table = open_client_table(log, context, json::Object{{"deck", "french52x8"}});
  Shoe shoe(log, table, {"french52x8", 1, 0, context});
  shoe.mix();
  for (std::uint32_t i = 0; i < 10; ++i)
    shoe.deal("place-" + std::to_string(i), i == 2 ? Face::unseen : Face::open, {});
  const std::uint64_t last = log.next_seq() - 1;
  const std::uint64_t closed = shoe.close();
  log.add({Kind::power, "", json::Object{{"event", "stop"}}, {}});
  const std::vector<std::string> objects{table, shoe.id()};
  return {log.select({closed, objects, {}, {}}), log.select({last, objects, {}, {}}),
          log.receipt(2)};
}

namespace {

struct ToldAgain {
  Bundle bundle;
  Openings openings;
};
ToldAgain told_again(Pki& pki, const AgainScene& scene, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  const std::string table = open_client_table(log, context, json::Object{{"deck", "french52x1"}});
  Shoe shoe(log, table, {"french52x1", 1, 0, context, scene.covered});
  shoe.mix();
  for (int seat = 1; seat <= 4; ++seat)
    shoe.deal("seat-" + std::to_string(seat), Face::covered, {});
  shoe.deal("common-1", Face::open, {});     // 4
  shoe.deal("burn", Face::unseen, {});       // 5
  shoe.deal("common-2", Face::covered, {});  // 6
  shoe.deal("common-3", Face::covered, {});  // 7
  shoe.open({0, 6}, "common-2");
  shoe.shuffle_again(
      {{3, 6}, {}, scene.lie});  // seat 4 threw its card away unseen; common-2 came too early
  shoe.mix();
  shoe.deal("seat-1", Face::covered, {});  // 0: another card at the place of an older one
  shoe.deal("common-2", Face::open, {});   // 1
  shoe.deal("seat-4", Face::covered, {});  // 2
  shoe.open({0, 0}, "seat-1");
  shoe.open({1, 0}, "seat-1");
  shoe.shuffle_again({{2}, {{0, {1, 5}}}});
  shoe.mix();
  shoe.deal("common-4", Face::open, {});
  shoe.deal("seat-2", Face::covered, {});
  shoe.open({0, 2}, "seat-3");
  const auto closed = shoe.close();
  return {log.select({closed, {table, shoe.id()}, {}, {}}), shoe.openings(closed)};
}

}  // namespace

Bundle again_scene(Pki& pki, const AgainScene& scene, const SceneOptions& options) {
  return told_again(pki, scene, options).bundle;
}

std::string again_openings(Pki& pki) {
  return told_again(pki, {}, {}).openings.text();
}

Bundle candidates_scene(Pki& pki, const CandidatesScene& scene, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  const std::string table =
      open_client_table(log, context, json::Object{{"deck", "spanish40x1"}}, scene.candidates);
  Shoe shoe(log, table,
            {"spanish40x1", 1, 0, context, true, scene.candidates, scene.lie, scene.secrets_of});
  scene.play(shoe);
  const auto closed = shoe.close(scene.reason);
  return log.select({closed, {table, shoe.id()}, {}, {}});
}

void CandidatesScene::dealt(Shoe& shoe) {
  shoe.mix();
  shoe.deal("seat-1", Face::covered, {});
  shoe.deal("common-1", Face::open, {});
  shoe.deal("seat-2", Face::covered, {});
  shoe.open({0, 0}, "seat-1");
}

ReleasedScene released_scene(Pki& pki, const ReleasedPlan& plan, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  const std::string table = open_client_table(log, context, json::Object{{"deck", "french52x1"}});
  Shoe shoe(log, table, {"french52x1", 1, 0, context, plan.covered});
  shoe.mix();
  shoe.release();
  shoe.report(ReleaseForm::order, plan.lies.front());
  if (!plan.machine_only) {
    for (int i = 0; i < 4; ++i) shoe.deal("t" + std::to_string(i), Face::open, {});
    shoe.shuffle_again({{0, 1}, {}});
    shoe.mix();
    shoe.release(ReleaseForm::targets);
    shoe.report(ReleaseForm::targets, plan.lies.back());
    shoe.deal("t0", Face::open, {});
  }
  const auto closed = shoe.close();
  return {log.select({closed, {table, shoe.id()}, {}, {}}), shoe.openings(closed).text()};
}

DrawScene draw_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  log.add({Kind::power, "", json::Object{{"clean", true}, {"event", "start"}}, {}});
  Context context = story_context(options);
  const DrawSpecification range = DiceDraw{2, 6};
  const std::string table =
      open_client_table(log, context, json::Object{{"range", specification_json(range)}});
  Batch batch(log, table, 4, context);
  batch.draw(range);
  const std::uint64_t drawn = batch.draw(range);
  const std::uint64_t voided = batch.void_next(range);
  const std::uint64_t closed = batch.close();
  const std::vector<std::string> objects{table, batch.id()};
  return {log.select({drawn, objects, {}, {}}), log.select({voided, objects, {}, {}}),
          log.select({closed, objects, {}, {}})};
}

Bundle lapsed_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  const DrawSpecification dice = DiceDraw{2, 6};
  const std::string table =
      open_client_table(log, context, json::Object{{"range", specification_json(dice)}});
  Batch one(log, table, 4, context);
  Batch two(log, table, 2, context);
  one.draw(dice);
  one.lapse(dice, [](CallCore& core) { core.head[0] ^= 1; });
  two.close();
  two.lapse(dice, {}, true);
  return log.select({one.draw(dice), {table}, {}, {}});
}

namespace {

const DrawSpecification two_dice = DiceDraw{2, 6};

/// TABLE_CLOSE of a place's first opening, and what its next TABLE_OPEN says.
struct Reopening {
  std::uint64_t closed = 0;
  TableOpenBody body;
  [[nodiscard]] std::string opened(LogBuilder& log) {
    log.name_key(body);
    return object_id("table",
                     log.add({Kind::table_open, "", body.to_json(), {closed}, {}, closed}));
  }
};
Reopening closed_once(LogBuilder& log, const std::string& table) {
  const TableCloseBody close{"Mesa 1", 1, 0, false, log.counts(table)};
  Reopening out;
  out.closed = log.add({Kind::table_close, table, close.to_json(), {}});
  out.body.place = close.place;
  out.body.opened = 2;
  out.body.counts = close.counts;
  out.body.parameters = json::Object{{"range", specification_json(two_dice)}};
  out.body.settled_by_client = true;
  return out;
}

}  // namespace

Bundle places_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  const auto play = [&](const std::string& table) {
    Batch batch(log, table, 2, context);
    const auto drawn = batch.draw(two_dice);
    return std::pair(drawn, batch.close());
  };
  const std::string first =
      open_client_table(log, context, json::Object{{"range", specification_json(two_dice)}});
  play(first);
  Reopening again = closed_once(log, first);
  const auto closed = again.closed;
  const auto table = again.opened(log);
  const auto left_out = play(table).second;
  const auto drawn = play(table).first;
  return log.select({drawn, {table}, {}, {}, left_out + 1, {closed}});
}

Bundle renewed_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  const std::string first =
      open_client_table(log, context, json::Object{{"range", specification_json(two_dice)}});
  Batch before(log, first, 1, context);
  before.draw(two_dice);
  before.close();
  Reopening again = closed_once(log, first);
  pki.renew_table_key();
  const std::string table = again.opened(log);
  Batch batch(log, table, 2, context);
  batch.draw(two_dice);
  log.change_log_key();
  const auto drawn = batch.draw(two_dice);
  return log.select({drawn, {table}, {}, {}, 0, {again.closed}});
}

}  // namespace talla::certs::test
