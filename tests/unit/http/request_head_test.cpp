// Goal: a head that two readers could understand differently is refused, every other one is taken.
// Method: each sentence of RFC 9112 that the header names, a lawful head beside each unlawful one.
#include "request_head.hpp"

#include <gtest/gtest.h>

using namespace talla;  // NOLINT: test file

namespace {

std::string fault_of(const std::string& fields, const std::string& line = "POST /v1/draws HTTP/1.1",
                     const std::string& host = "Host: localhost\r\n") {
  return http::head_fault(line + "\r\n" + host + fields + "\r\n");
}

void refused(const std::string& fields, const std::string& words) {
  EXPECT_NE(fault_of(fields).find(words), std::string::npos) << fields << ": " << fault_of(fields);
}

}  // namespace

TEST(RequestHead, plain_heads_are_taken) {
  EXPECT_EQ(fault_of(""), "");
  EXPECT_EQ(fault_of("Content-Length: 0\r\nX-Empty:\r\nX-Odd!#$%&'*+-.^_`|~9: \t a\tb \r\n"), "");
  EXPECT_EQ(fault_of("content-length:17\r\n"), "");
  EXPECT_EQ(fault_of("Transfer-Encoding: Chunked\r\n"), "");
  EXPECT_EQ(fault_of("X: 1\r\nX: 2\r\n"), "") << "what is no matter may stand twice";
  EXPECT_EQ(fault_of("X: \xC3\xB1\r\n"), "") << "obs-text is text (RFC 9110 section 5.5)";
  EXPECT_EQ(fault_of("", "GET / HTTP/1.0"), "");
}

TEST(RequestHead, folded_lines_are_refused) {
  refused("X: a\r\n b\r\n", "one line");
  refused("X: a\r\n\tb\r\n", "one line");
  EXPECT_NE(fault_of("", "GET / HTTP/1.1\r\n X: y"), "") << "behind the request line";
}

TEST(RequestHead, where_the_body_ends_is_said_once) {
  refused("Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length stands twice");
  refused("Content-Length: 5\r\ncontent-length: 6\r\n", "Content-Length stands twice");
  refused("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "beside");
  refused("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "beside");
  refused("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "stands twice");
  for (const char* coding :
       {"gzip, chunked", "identity", "xchunked", "chunked, identity", "", "chunked;a"})
    refused("Transfer-Encoding: " + std::string(coding) + "\r\n", "only be chunked");
  for (const char* length : {"+5", "-5", "5, 5", "0x5", "5 5", "", "12345678901", "5;", "\xC2\xB2"})
    refused("Content-Length: " + std::string(length) + "\r\n", "one decimal number");
  EXPECT_NE(fault_of("Transfer-Encoding: chunked\r\n", "POST / HTTP/1.0"), "");
}

TEST(RequestHead, names_are_words_and_the_colon_follows_at_once) {
  for (const char* line : {"Content-Length : 5", "Transfer-Encoding\t: chunked", "no colon", ": x",
                           "two words: x", "X\x01: y", "(comment): y"})
    EXPECT_NE(fault_of(std::string(line) + "\r\n"), "") << line;
}

TEST(RequestHead, lines_end_with_both_bytes_and_hold_no_controls) {
  refused("X: a\nContent-Length: 5\r\n", "CR LF");
  refused("X: a\rContent-Length: 5\r\n", "CR LF");
  refused(std::string("X: a") + '\0' + "b\r\n", "control");
  refused("X: a\x0B\r\n", "control");
  refused("X: a\x7F\r\n", "control");
}

TEST(RequestHead, host_stands_once) {
  EXPECT_EQ(fault_of("", "GET / HTTP/1.1", ""), "Host is missing");
  refused("Host: localhost\r\n", "Host stands twice");
  refused("host: other\r\n", "Host stands twice");
}

TEST(RequestHead, what_the_rules_rest_on_stands_once) {
  for (const char* name : {"Content-Type", "Origin", "Idempotency-Key", "Sec-Fetch-Site",
                           "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Last-Event-ID"})
    refused(std::string(name) + ": a\r\n" + name + ": b\r\n", std::string(name) + " stands twice");
}

TEST(RequestHead, the_request_line_has_three_parts) {
  for (const char* line :
       {"", "GET", "GET /", "GET / HTTP/2.0", "GET  / HTTP/1.1", "GET / x HTTP/1.1",
        " GET / HTTP/1.1", "GET / HTTP/1.1 ", "G(T / HTTP/1.1", "GET https://localhost/ HTTP/1.1",
        "OPTIONS * HTTP/1.1", "CONNECT a:1 HTTP/1.1", "GET\t/ HTTP/1.1", "GET / http/1.1"})
    EXPECT_NE(fault_of("", line), "") << line;
}

TEST(RequestHead, its_end_is_found_however_the_bytes_come) {
  const std::string text = "GET / HTTP/1.1\r\nHost: a\r\n\r\nbody\r\n\r\n";
  for (std::size_t from = 0; from < 27; ++from) EXPECT_EQ(http::head_size(text, from), 27U) << from;
  EXPECT_EQ(http::head_size(text.substr(0, 26), 0), 0U);
  EXPECT_EQ(http::head_size("", 0), 0U);
}

TEST(RequestHead, a_name_is_compared_without_port_and_case) {
  const std::vector<std::string> names{"localhost", "10.0.0.7", "::1", "*.casino.example"};
  for (const char* good : {"localhost", "LOCALHOST:8443", "localhost.", "10.0.0.7:1", "[::1]:8443",
                           "[::1]", "rng.casino.example", "RNG.casino.example:65535"})
    EXPECT_TRUE(http::is_named(good, names)) << good;
  for (const char* bad :
       {"", ":8443", "localhost:", "localhost:x", "localhost:1234567", "evil.example",
        "casino.example", ".casino.example", "a.b.casino.example", "localhost.evil.example", "[::1",
        "[::1]x", "10.0.0.70", "localhost/", "::1"})
    EXPECT_FALSE(http::is_named(bad, names)) << bad;
}
