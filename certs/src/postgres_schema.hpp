/// \file
/// The tables of a ledger in PostgreSQL. Private to certs.
///
/// They stand in a schema of their own for each origin: rights, backup, version and damage are of
/// one appliance alone. Text of clients is kept as bytes, so that no byte of theirs can make a
/// commit fail; what is compared as text is compared byte by byte.
#pragma once

namespace talla::certs {

inline constexpr int postgres_schema_version = 1;

/// Rows that change in place (fence, objects) leave room in their pages, so that an update touches
/// no index.
inline constexpr const char* postgres_tables_sql = R"sql(
CREATE TABLE meta(name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
CREATE TABLE fence(one boolean PRIMARY KEY DEFAULT true CHECK (one), epoch int8 NOT NULL, size int8 NOT NULL,
  holder text NOT NULL, taken timestamptz NOT NULL) WITH (fillfactor = 10);
INSERT INTO fence VALUES(true, 0, 0, 'nobody', now());
CREATE TABLE records(seq int8 PRIMARY KEY, leaf bytea NOT NULL, prev int8, kind text COLLATE "C" NOT NULL,
  object text COLLATE "C" NOT NULL, bytes bytea NOT NULL);
CREATE TABLE leaf_pages(page int8 PRIMARY KEY, leaves bytea NOT NULL);
ALTER TABLE leaf_pages ALTER COLUMN leaves SET STORAGE EXTERNAL;
CREATE TABLE ends(size int8 PRIMARY KEY);
CREATE TABLE objects(opened int8 PRIMARY KEY, last int8 NOT NULL, pending int8 NOT NULL, closed boolean NOT NULL,
  live boolean NOT NULL, id text COLLATE "C" NOT NULL) WITH (fillfactor = 70);
CREATE INDEX objects_live ON objects(opened) WHERE live;
CREATE TABLE sealed(object text COLLATE "C" NOT NULL, seq int8 NOT NULL, kind text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL, PRIMARY KEY(object, seq));
ALTER TABLE sealed ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE TABLE replies(id bytea PRIMARY KEY CHECK (octet_length(id) = 24), place int8 GENERATED ALWAYS AS IDENTITY,
  client bytea NOT NULL, key bytea NOT NULL, method bytea NOT NULL, path bytea NOT NULL, request bytea NOT NULL,
  status int8 NOT NULL, head bytea NOT NULL, seqs bytea NOT NULL);
CREATE TABLE documents(name text COLLATE "C" PRIMARY KEY, text bytea NOT NULL);
CREATE TABLE catalogues(digest bytea PRIMARY KEY, text bytea NOT NULL);
)sql";

}  // namespace talla::certs
