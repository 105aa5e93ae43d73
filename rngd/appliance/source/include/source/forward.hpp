/// \file
/// The work of rngd-source: samples from an open generator into frames on a socket, until either
/// side ends.
///
/// Life: hello, then samples and notices as they come, a new generation when the reader wishes for
/// one, then bye when the reader has closed its sending half, or error when the generator fails. A
/// reader that is slow makes this side wait and the generator with it: nothing is buffered here, so
/// no sample grows old.
/// Threads: one. Secrecy: samples are wiped after they are sent.
#pragma once

#include "usb/noise_source.hpp"
#include "usb/source_frame.hpp"
#include "usb/source_wish.hpp"

namespace talla::source {

enum class Ending : std::uint8_t {
  asked,        ///< The reader asked for the end and got bye, or is gone.
  source_lost,  ///< The generator failed; the reader was told.
};

/// `socket` is a stream socket; it stays open and as it is. Errors of the socket count as `asked`:
/// there is nobody left to tell.
[[nodiscard]] Ending forward(entropy::NoiseSource& source, const usb::HelloFrame& hello,
                             const usb::StreamCounters& counters, int socket);

/// Sends one error frame as the whole stream: what went wrong before there was a generator.
void report_failure(int socket, const Error& error);

/// The line with which the core says what it wants, where a service manager started this; five
/// seconds at most. Errors: malformed_frame, process_failed (nothing came).
[[nodiscard]] Status take_wish(int socket, usb::SourceWish& wish);

/// True when the other side has closed its sending half or the socket, or sent what is no wish.
[[nodiscard]] bool end_asked(int socket);

}  // namespace talla::source
