#include "drbg_known_answers.hpp"

namespace talla::entropy {

namespace {

constexpr DrbgKnownAnswer ctr{
    .entropy_and_nonce =
        "174b46250051a9e3d80c56ae7163dafe7e54481a56cafd3b8625f99bbb29c44298ffd99c466e0e94a45da7e0"
        "e82dbc6b",
    .personalisation = "7095268e99938b3e042734b9176c9aa051f00a5f8d2a89ada214b89beef18ebf",
    .reseed_entropy = "e88be1967c5503f65d23867bbc891bd679db03b4878663f6c877592df25f0d9a",
    .reseed_additional = "cdf6ad549e45b6aa5cd67d024931c33cd133d52d5ae500c3015020beb30da063",
    .additional_first = "c7228e90c62f896a09e11684530102f926ec90a3255f6c21b857883c75800143",
    .additional_second = "76a94f224178fe4cbf9e2b8acc53c9dc3e50bb613aac8936601453cda3293b17",
    .output =
        "1a6d8dbd642076d13916e5e23038b60b26061f13dd4e006277e0268698ffb2c87e453bae1251631ac90c701a"
        "9849d933995e8b0221fe9aca1985c546c2079027"};

constexpr DrbgKnownAnswer hmac{
    .entropy_and_nonce =
        "da740cbc36057a8e282ae717fe7dfbb245e9e5d49908a0119c5dbcf0a1f2d5ab46561ff612217ba3ff91baa0"
        "6d4b5440",
    .personalisation = "fc227293523ecb5b1e28c87863626627d958acc558a672b148ce19e2abd2dde4",
    .reseed_entropy = "1d61d4d8a41c3254b92104fd555adae0569d1835bb52657ec7fbba0fe03579c5",
    .reseed_additional = "b9ed8e35ad018a375b61189c8d365b00507cb1b4510d21cac212356b5bbaa8b2",
    .additional_first = "b7998998eaf9e5d34e64ff7f03de765b31f407899d20535573e670c1b402c26a",
    .additional_second = "2089d49d63e0c4df58879d0cb1ba998e5b3d1a7786b785e7cf13ca5ea5e33cfd",
    .output =
        "5b70f3e4da95264233efbab155b828d4e231b67cc92757feca407cc9615a660871cb07ad1a2e9a99412feda8"
        "ee34dc9c57fa08d3f8225b30d29887d20907d12330fffd14d1697ba0756d37491b0a8814106e46c8677d49d9"
        "157109c402ad0c247a2f50cd5d99e538c850b906937a05dbb8888d984bc77f6ca00b0e3bc97b16d6d25814a5"
        "4aa12143afddd8b2263690565d545f4137e593bb3ca88a37b0aadf79726b95c61906257e6dc47acd5b6b7e4b"
        "534243b13c16ad5a0a1163c0099fce43f428cd27c3e6463cf5e9a9621f4b3d0b3d4654316f4707675df39278"
        "d5783823049477dcce8c57fdbd576711c91301e9bd6bb0d3e72dc46d480ed8f61fd63811"};

}  // namespace

const DrbgKnownAnswer& drbg_known_answer(DrbgKind kind) {
  return kind == DrbgKind::ctr_aes256_df ? ctr : hmac;
}

}  // namespace talla::entropy
