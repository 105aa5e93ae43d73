// Which module of engines this page has, by SHA-256 and size as it is served: none. A build with
// TALLA_SETTLE has rngd/packaging/settle write this file anew.
export const MODULE = null;
