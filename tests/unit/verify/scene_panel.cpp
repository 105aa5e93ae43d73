// Stories of tables with a seat and a partner beside them.
#include "format/body_table.hpp"
#include "panel.hpp"
#include "scenes.hpp"
#include "story.hpp"

namespace talla::certs::test {

namespace {

constexpr const char* partner_of_scene = "urn:talla:partner-1";
constexpr const char* first_seat = "seat-1";
constexpr const char* second_seat = "seat-2";

void seat_them(Panel& people) {
  for (const char* id : {partner_of_scene, first_seat, second_seat})
    people.join(id, std::string("of ") + id);
}

}  // namespace

Bundle joined_shoe_scene(Pki& pki, const SceneOptions& options) {
  Panel people;
  seat_them(people);
  LogBuilder log(pki, options.tamper);
  log.seat(&people);
  Context context = story_context(options);
  const std::string table = open_client_table(log, context, json::Object{{"deck", "french52x1"}});
  Shoe shoe(log, table, {"french52x1", 1, 0, context});
  shoe.mix();
  for (int place = 1; place <= 4; ++place)
    shoe.deal("place-" + std::to_string(place), Face::open, {});
  return log.select({shoe.close(), {table}, {}, {}});
}

JoinedDrawScene joined_draw_scene(Pki& pki, const SceneOptions& options) {
  Panel people;
  seat_them(people);
  LogBuilder log(pki, options.tamper);
  log.seat(&people);
  Context context = story_context(options);
  const DrawSpecification wheel = WheelDraw{37};
  const std::string table =
      open_client_table(log, context, json::Object{{"range", specification_json(wheel)}});
  Batch batch(log, table, 4, context);
  batch.draw(wheel);
  const auto given_up = batch.withheld(wheel, {second_seat});
  people.leave(second_seat);
  const auto drawn = batch.draw(wheel);
  return {log.select({drawn, {table}, {}, {}}), log.select({given_up, {table}, {}, {}})};
}

}  // namespace talla::certs::test
