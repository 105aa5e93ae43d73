#include "usb/errors.hpp"

namespace talla::usb {

std::string_view errc_name(UsbErrc errc) {
  switch (errc) {
    case UsbErrc::unavailable:
      return "usb_unavailable";
    case UsbErrc::no_device:
      return "usb_no_device";
    case UsbErrc::access_denied:
      return "usb_access_denied";
    case UsbErrc::busy:
      return "usb_busy";
    case UsbErrc::impostor:
      return "usb_impostor";
    case UsbErrc::gone:
      return "usb_gone";
    case UsbErrc::stalled:
      return "usb_stalled";
    case UsbErrc::silent:
      return "usb_silent";
    case UsbErrc::timed_out:
      return "usb_timed_out";
    case UsbErrc::transfer_failed:
      return "usb_transfer_failed";
    case UsbErrc::nonsense:
      return "usb_nonsense";
    case UsbErrc::stopped:
      return "usb_stopped";
    case UsbErrc::bad_selector:
      return "usb_bad_selector";
    case UsbErrc::bad_option:
      return "usb_bad_option";
    case UsbErrc::unhealthy:
      return "usb_unhealthy";
    case UsbErrc::unsupported:
      return "usb_unsupported";
    case UsbErrc::malformed_frame:
      return "source_malformed_frame";
    case UsbErrc::process_failed:
      return "source_process_failed";
    case UsbErrc::claim_refused:
      return "source_claim_refused";
    case UsbErrc::source_failed:
      return "source_failed";
  }
  return "usb_unknown";
}

}  // namespace talla::usb
