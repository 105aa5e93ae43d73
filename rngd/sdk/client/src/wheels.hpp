/// \file
/// A round that was drawn for is told with what was drawn, as its game calls it.
///
/// Errors: not_believed.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/json.hpp"
#include "client/errc.hpp"
#include "format/call.hpp"
#include "format/record.hpp"

namespace talla::client {

/// The numbers of wheels in the order of their pockets, as the appliance tells of the catalogue
/// that a table was opened with; each is asked for once.
class Wheels {
 public:
  using Fetch = std::function<Result<json::Value>(const std::string& path)>;

  /// `opening`: the verified TABLE_OPEN. Borrowed until the next call.
  [[nodiscard]] Result<const json::Array*> numbers_of(const certs::Record& opening,
                                                      const Fetch& fetch);

 private:
  std::map<std::string, json::Array> known_;  // by table
};

/// `round.outcome` of the reply holds what the DRAW record drew: of a wheel the number on its
/// pocket, asked of `numbers`, of dice and lots the numbers they show.
[[nodiscard]] Status check_round(const certs::Record& draw, const json::Value& reply,
                                 const std::function<Result<const json::Array*>()>& numbers);

}  // namespace talla::client
