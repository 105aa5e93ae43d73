// Algorithms of ACVP that no module of the appliance computes, each with the reason.
#include <array>

#include "lab_acvp/acvp.hpp"

namespace talla::lab::acvp {

namespace {

constexpr std::array table{
    Unanswered{"hashDRBG", "", false, "not used: the generators are CTR_DRBG and HMAC_DRBG"},
    Unanswered{"CMAC-AES", "", true,
               "used inside a PKCS#11 token alone, which has certificates of its own"},
    Unanswered{"KDF", "", true,
               "SP 800-108 is used inside the session with a TPM alone (KDFa of tpm2-tss), by no "
               "module of the appliance"},
    Unanswered{"PBKDF", "", false, "not used: passphrases go through scrypt"},
    Unanswered{"scrypt", "", true,
               "used for passphrases, by OpenSSL; ACVP has no such algorithm (RFC 7914)"},
    Unanswered{"ACVP-AES-CBC", "", true,
               "used under scrypt for the root's key file (PBES2), by OpenSSL alone"},
    Unanswered{"TLS-v1.3", "", true,
               "used by OpenSSL's own TLS, through no module of the appliance"},
    Unanswered{"ConditioningComponent", "AES-CBC-MAC", false,
               "not used: conditioners are SHA-512 and HMAC-SHA-512"},
    Unanswered{"ConditioningComponent", "BlockCipher_DF", true,
               "used inside CTR_DRBG alone, and tested with it (ctrDRBG, derFunc)"},
    Unanswered{"DetECDSA", "", false, "not used: ECDSA signs with a random k"},
    Unanswered{"EDDSA", "keyVer", false,
               "not used: a public key is judged with the signature that it is to verify"},
    Unanswered{"ML-DSA", "", false, "not used"},
    Unanswered{"RSA", "", false, "not used"},
};

}  // namespace

std::span<const Unanswered> unanswered() {
  return table;
}

}  // namespace talla::lab::acvp
