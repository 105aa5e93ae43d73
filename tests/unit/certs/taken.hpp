// One step of a sealed shoe or batch, as when its record is in the log.
#pragma once

#include "fixture.hpp"

namespace talla::certs::testing {

/// The body that the step returned, taken into the progress.
template <class Progress, class Body>
Body taken(Progress& progress, Result<Body> step) {
  Body body = must(std::move(step));
  progress.take(body);
  return body;
}

}  // namespace talla::certs::testing
