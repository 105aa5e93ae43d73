// What the library says of records: one text a line in, "ok" or the refusal a line out.
#include <iostream>
#include <string>

#include "format/record.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string text; std::getline(std::cin, text);) {
    const auto record = talla::certs::parse_record(text);
    std::cout << (record ? std::string("ok") : record.error().text()) << '\n';
  }
  return 0;
}
