// Goal: what is attached is listed with its model or why it is unusable, and a selector picks
//       exactly one.
// Method: a fake bus with good, unreadable and false devices; every form of selector, right and
//         wrong.
#include "usb/discover.hpp"

#include <gtest/gtest.h>

#include "fake_transport.hpp"

using namespace talla;
using namespace talla::usb;
using talla::usb::test::chaoskey_info;
using talla::usb::test::FakeBus;
using talla::usb::test::FakeTransport;

namespace {

DeviceInfo at(DeviceInfo info, std::uint8_t address) {
  info.address = address;
  return info;
}

std::vector<FoundDevice> found_on(FakeBus& bus) {
  FakeTransport transport(bus);
  auto found = discover(transport, builtin_registry());
  EXPECT_TRUE(found);
  return *found;
}

std::vector<DeviceInfo> mixed_devices() {
  DeviceInfo locked = at(chaoskey_info(""), 1);
  locked.product = "";
  locked.access_problem = "usb_access_denied: open";
  DeviceInfo impostor = at(chaoskey_info("X"), 2);
  impostor.product = "Toaster";
  DeviceInfo mouse = at(chaoskey_info("M"), 3);
  mouse.vendor_id = 0x046d;
  return {locked, impostor, mouse, at(chaoskey_info("A"), 5), at(chaoskey_info("B"), 6)};
}

}  // namespace

TEST(Discover, lists_supported_ids_only_and_says_why_one_is_unusable) {
  FakeBus bus;
  bus.attached = mixed_devices();
  const auto found = found_on(bus);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].problem, "usb_access_denied: open");
  EXPECT_EQ(found[0].model, "chaoskey");
  EXPECT_EQ(found[1].problem.substr(0, 12), "usb_impostor");
  EXPECT_TRUE(found[2].usable());
  EXPECT_EQ(found[2].description.serial, "A");
}

TEST(Discover, json_names_every_field_for_every_device) {
  FakeBus bus;
  bus.attached = mixed_devices();
  const json::Value list = found_devices_json(found_on(bus));
  ASSERT_EQ(list.array().size(), 4U);
  for (const json::Value& each : list.array()) {
    EXPECT_EQ(each.object().size(), 13U);
    EXPECT_EQ(each.find("usable")->boolean(), each.find("problem")->string().empty());
  }
  EXPECT_EQ(list.array()[2].find("class")->string(), "raw_physical");
  EXPECT_EQ(list.array()[0].find("class")->string(), "");
}

TEST(Discover, every_driver_states_a_rate_and_where_it_comes_from) {
  const json::Value list = supported_devices_json(builtin_registry());
  ASSERT_EQ(list.array().size(), builtin_registry().makers().size());
  for (const json::Value& each : list.array()) {
    const std::string& model = each.find("model")->string();
    EXPECT_GT(each.find("rate_hz")->integer(), 0) << model;
    const std::string& origin = each.find("rate_origin")->string();
    const bool told = origin.starts_with("assumed: ") || origin.starts_with("its clock: ") ||
                      origin.starts_with("its maker: ") || origin.starts_with("its author: ");
    EXPECT_TRUE(told) << model << ": " << origin;
  }
}

TEST(Discover, a_stated_rate_judges_nothing) {
  for (const Registry::Maker maker : builtin_registry().makers()) {
    const auto driver = maker();
    ASSERT_GT(driver->claim().rate_hz, 0U) << driver->model();
    EXPECT_EQ(driver->describe({}, {}).nominal_rate_hz, 0U) << driver->model();
  }
}

TEST(Select, auto_and_model_take_the_first_usable) {
  FakeBus bus;
  bus.attached = mixed_devices();
  const auto found = found_on(bus);
  EXPECT_EQ(select_device(found, "auto")->info.serial, "A");
  EXPECT_EQ(select_device(found, "chaoskey")->info.serial, "A");
}

TEST(Select, a_serial_takes_exactly_that_device) {
  FakeBus bus;
  bus.attached = mixed_devices();
  const auto found = found_on(bus);
  EXPECT_EQ(select_device(found, "chaoskey:B")->info.serial, "B");
  EXPECT_EQ(select_device(found, "serial:B")->info.serial, "B");
}

TEST(Select, units_that_say_the_same_serial_are_told_apart_by_port) {
  FakeBus bus;
  bus.attached = mixed_devices();
  std::vector<FoundDevice> found = found_on(bus);
  std::erase_if(found, [](const FoundDevice& each) { return !each.usable(); });
  ASSERT_GE(found.size(), 2U);
  for (std::size_t k = 0; k < found.size(); ++k)
    found[k].info.port = "1-2." + std::to_string(k + 1);
  found[0].info.serial = found[1].info.serial = "00";
  const auto either = select_device(found, "chaoskey:00");
  ASSERT_FALSE(either) << "an assessment of one unit would credit the other";
  EXPECT_TRUE(either.error().is(UsbErrc::bad_selector));
  EXPECT_NE(either.error().detail.find("1-2.1 and 1-2.2"), std::string::npos)
      << either.error().detail;
  EXPECT_EQ(select_device(found, "chaoskey@1-2.2")->info.port, "1-2.2");
  EXPECT_EQ(select_device(found, "chaoskey@1-2.1")->info.port, "1-2.1");
  EXPECT_TRUE(select_device(found, "chaoskey@1-2").error().is(UsbErrc::no_device));
  EXPECT_TRUE(select_device(found, "onerng@1-2.1").error().is(UsbErrc::no_device));
}

TEST(Select, what_is_not_there_or_not_usable_is_no_device_and_says_why) {
  FakeBus bus;
  bus.attached = mixed_devices();
  const auto found = found_on(bus);
  for (const char* selector : {"chaoskey:C", "serial:X", "infnoise", "infnoise:A"}) {
    const auto chosen = select_device(found, selector);
    ASSERT_FALSE(chosen) << selector;
    EXPECT_TRUE(chosen.error().is(UsbErrc::no_device)) << selector;
  }
  EXPECT_NE(select_device(found, "serial:X").error().detail.find("Toaster"), std::string::npos);
  EXPECT_FALSE(select_device({}, "auto"));
}

TEST(Select, malformed_selectors_are_refused) {
  for (const char* selector :
       {"", ":", "auto:1", "serial", "serial:", "Chaos Key", "chaoskey:", "chaoskey:a\nb",
        "auto@1-1", "serial@1-1", "chaoskey@", "chaoskey@first", "@1-1"}) {
    const auto status = check_selector(selector);
    ASSERT_FALSE(status) << selector;
    EXPECT_TRUE(status.error().is(UsbErrc::bad_selector)) << selector;
  }
}

TEST(OpenSource, gives_a_streaming_source_of_the_chosen_device) {
  FakeBus bus;
  bus.attached = mixed_devices();
  FakeTransport transport(bus);
  const auto source = open_source(transport, builtin_registry(), "serial:B", {}, bus.clock);
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->description().serial, "B");
  EXPECT_EQ((*source)->assessment_origin().substr(0, 8), "assumed:");
}

TEST(OpenSource, a_configured_assessment_names_the_site_as_its_origin) {
  FakeBus bus;
  bus.attached = mixed_devices();
  FakeTransport transport(bus);
  const auto source = open_source(transport, builtin_registry(), "auto",
                                  {.assessed_millibits_per_sample = 6000}, bus.clock);
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->assessment_origin(), "configured at this site");
}
