// SoftHSM 2 keeps a few ASN.1 strings of every EdDSA signature for good (its C_SignInit): not ours
// to answer for. Its name is seen in whole call stacks only.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "fast_unwind_on_malloc=0";
}
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libsofthsm2.so\n";
}
#endif
