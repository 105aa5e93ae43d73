// Digests of the catalogues that are part of the programs (FORMAT.md, section 1).
// Written by rngd/packaging/pages from the files of games/catalogues.
export const CATALOGUES = [
  '2a31daffc15864897728f51e831e81b244320f0d675e558a06862352e9b70637',  // es-1977
  '1593d9586cef2ce75613feb642577062aab3136c08bb9bbe17a1b4a082e5564c',  // es-aragon-2010
  '39abde422c3a11cc0b5f0aecbbe77a2c491d2b0d7a9d5b2a9f78aaa8b629d1d1',  // es-euskadi-2010
  '9095cf218d46e3b202eb622d314af64d0e691995eeb7a6a1b47140f8cbd4c7e4',  // es-valencia-2003
];
