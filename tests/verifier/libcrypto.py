"""What the verifier asks of OpenSSL's library: certificates, chains, signatures, a covered card's
cipher. Called by ctypes: no process for each signature, nothing beside Python and libcrypto 3.

What a certificate's form must be is certificate.py's, not decided here."""
import base64
import ctypes
import ctypes.util
import os
import re
import weakref

from .text import Refused, need

DIGITAL_SIGNATURE, SIGNS_CERTIFICATES, SIGNS_LISTS = 0x80, 0x04, 0x02
IS_AUTHORITY, HAS_USAGE, HAS_EXTENDED = 0x10, 0x2, 0x4
ALTERNATIVE_NAMES, URI, ED25519 = 85, 6, 1087  # of obj_mac.h and x509v3.h
SET_TAG, TAG = 0x11, 16  # of evp.h

_POINTER, _INT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
_BYTES, _LONG = ctypes.c_char_p, ctypes.c_long
# name: what it gives, what it takes
FUNCTIONS = {
    "d2i_X509": (_POINTER, _POINTER, _POINTER, _LONG),
    "i2d_X509": (_INT, _POINTER, _POINTER),
    "X509_free": (None, _POINTER),
    "X509_get_key_usage": (ctypes.c_uint32, _POINTER),
    "X509_get_extension_flags": (ctypes.c_uint32, _POINTER),
    "X509_get_ext_d2i": (_POINTER, _POINTER, _INT, _POINTER, _POINTER),
    "X509_get_pubkey": (_POINTER, _POINTER),
    "GENERAL_NAMES_free": (None, _POINTER),
    "GENERAL_NAME_get0_value": (_POINTER, _POINTER, _POINTER),
    "ASN1_STRING_get0_data": (_POINTER, _POINTER),
    "ASN1_STRING_length": (_INT, _POINTER),
    "OPENSSL_sk_num": (_INT, _POINTER),
    "OPENSSL_sk_value": (_POINTER, _POINTER, _INT),
    "OPENSSL_sk_new_null": (_POINTER,),
    "OPENSSL_sk_push": (_INT, _POINTER, _POINTER),
    "OPENSSL_sk_free": (None, _POINTER),
    "X509_STORE_new": (_POINTER,),
    "X509_STORE_load_file": (_INT, _POINTER, _BYTES),
    "X509_STORE_free": (None, _POINTER),
    "X509_STORE_CTX_new": (_POINTER,),
    "X509_STORE_CTX_init": (_INT, _POINTER, _POINTER, _POINTER, _POINTER),
    "X509_STORE_CTX_set_time": (None, _POINTER, ctypes.c_ulong, ctypes.c_longlong),
    "X509_STORE_CTX_free": (None, _POINTER),
    "X509_verify_cert": (_INT, _POINTER),
    "d2i_PUBKEY": (_POINTER, _POINTER, _POINTER, _LONG),
    "i2d_PUBKEY": (_INT, _POINTER, _POINTER),
    "EVP_PKEY_new_raw_public_key": (_POINTER, _INT, _POINTER, _BYTES, _SIZE),
    "EVP_PKEY_get_group_name": (_INT, _POINTER, _POINTER, _SIZE, _POINTER),
    "EVP_PKEY_free": (None, _POINTER),
    "EVP_sha256": (_POINTER,),
    "EVP_MD_CTX_new": (_POINTER,),
    "EVP_MD_CTX_free": (None, _POINTER),
    "EVP_DigestVerifyInit": (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "EVP_DigestVerify": (_INT, _POINTER, _BYTES, _SIZE, _BYTES, _SIZE),
    "EVP_DigestSignInit": (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "EVP_DigestSign": (_INT, _POINTER, _POINTER, _POINTER, _BYTES, _SIZE),
    "BIO_new_mem_buf": (_POINTER, _BYTES, _INT),
    "BIO_free": (_INT, _POINTER),
    "PEM_read_bio_PrivateKey": (_POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "EVP_PKEY_get_id": (_INT, _POINTER),
    "EVP_PKEY_CTX_new": (_POINTER, _POINTER, _POINTER),
    "EVP_PKEY_CTX_free": (None, _POINTER),
    "EVP_PKEY_derive_init": (_INT, _POINTER),
    "EVP_PKEY_derive_set_peer": (_INT, _POINTER, _POINTER),
    "EVP_PKEY_derive": (_INT, _POINTER, _POINTER, _POINTER),
    "EVP_CIPHER_CTX_new": (_POINTER,),
    "EVP_CIPHER_CTX_free": (None, _POINTER),
    "EVP_aes_256_gcm": (_POINTER,),
    "EVP_CIPHER_CTX_ctrl": (_INT, _POINTER, _INT, _INT, _BYTES),
    "EVP_DecryptInit_ex": (_INT, _POINTER, _POINTER, _POINTER, _BYTES, _BYTES),
    "EVP_DecryptUpdate": (_INT, _POINTER, _POINTER, _POINTER, _BYTES, _INT),
    "EVP_DecryptFinal_ex": (_INT, _POINTER, _POINTER, _POINTER),
}


def _library():
    """libcrypto 3 with the types of what is called in it."""
    try:
        library = ctypes.CDLL("libcrypto.so.3")
    except OSError:
        library = ctypes.CDLL(ctypes.util.find_library("crypto"))
    for name, (gives, *takes) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = gives, takes
    return library


lib = _library()


class Owned:
    """Something of the library's, given back with its owner. Errors: Refused where there is
    none."""

    def __init__(self, pointer, free, why="libcrypto: no memory"):
        need(pointer, why)
        self.pointer = pointer
        weakref.finalize(self, free, pointer)


def _decoded(function, data):
    """What d2i makes of these bytes."""
    buffer = ctypes.create_string_buffer(data, len(data))
    at = ctypes.c_void_p(ctypes.addressof(buffer))
    return function(None, ctypes.byref(at), len(data))


def _encoded(function, thing):
    buffer = ctypes.create_string_buffer(max(function(thing, None), 0))
    at = ctypes.c_void_p(ctypes.addressof(buffer))
    function(thing, ctypes.byref(at))
    return buffer.raw


class Key(Owned):
    """A public key; `spki`: its SubjectPublicKeyInfo."""

    def __init__(self, pointer):
        super().__init__(pointer, lib.EVP_PKEY_free, "no key")
        self.spki = _encoded(lib.i2d_PUBKEY, self.pointer)

    @classmethod
    def of_spki(cls, spki):
        return cls(_decoded(lib.d2i_PUBKEY, spki))

    @property
    def curve(self):
        name = ctypes.create_string_buffer(64)
        found = lib.EVP_PKEY_get_group_name(self.pointer, name, len(name), None)
        return name.value.decode() if found == 1 else ""

    def signed(self, message, signature):
        """Whether this key signed: `signature` in DER over SHA-256, of Ed25519 as it is."""
        plain = lib.EVP_PKEY_get_id(self.pointer) == ED25519
        state = Owned(lib.EVP_MD_CTX_new(), lib.EVP_MD_CTX_free)
        digest = None if plain else lib.EVP_sha256()
        begun = lib.EVP_DigestVerifyInit(state.pointer, None, digest, None, self.pointer)
        return begun == 1 and lib.EVP_DigestVerify(state.pointer, signature, len(signature),
                                                   message, len(message)) == 1


def ed25519(public, message, signature):
    try:
        key = Key(lib.EVP_PKEY_new_raw_public_key(ED25519, None, public, len(public)))
    except Refused:
        return False
    return key.signed(message, signature)


class PrivateKey(Key):
    """A key in a PEM file, for who signs (the tests) or reads a covered card (a seat)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            text = file.read()
        source = Owned(lib.BIO_new_mem_buf(text, len(text)), lib.BIO_free)
        super().__init__(lib.PEM_read_bio_PrivateKey(source.pointer, None, None, None))

    def sign(self, message):
        plain = lib.EVP_PKEY_get_id(self.pointer) == ED25519
        state = Owned(lib.EVP_MD_CTX_new(), lib.EVP_MD_CTX_free)
        digest = None if plain else lib.EVP_sha256()
        need(lib.EVP_DigestSignInit(state.pointer, None, digest, None, self.pointer) == 1, "sign")
        out, size = ctypes.create_string_buffer(256), ctypes.c_size_t(256)
        need(lib.EVP_DigestSign(state.pointer, out, ctypes.byref(size), message,
                                len(message)) == 1, "sign")
        return out.raw[:size.value]

    def agree(self, peer):
        """The x coordinate of the point shared with `peer`, a Key."""
        state = Owned(lib.EVP_PKEY_CTX_new(self.pointer, None), lib.EVP_PKEY_CTX_free)
        out, size = ctypes.create_string_buffer(66), ctypes.c_size_t(66)
        need(lib.EVP_PKEY_derive_init(state.pointer) == 1
             and lib.EVP_PKEY_derive_set_peer(state.pointer, peer.pointer) == 1
             and lib.EVP_PKEY_derive(state.pointer, out, ctypes.byref(size)) == 1,
             "no point that this key can share")
        return out.raw[:size.value]


class Certificate(Owned):
    """Errors: Refused where the bytes are not one certificate and nothing else."""

    def __init__(self, der):
        super().__init__(_decoded(lib.d2i_X509, der), lib.X509_free, "malformed certificate")
        need(_encoded(lib.i2d_X509, self.pointer) == der, "bytes behind a certificate")
        self.flags = lib.X509_get_extension_flags(self.pointer)
        self.usages = lib.X509_get_key_usage(self.pointer) if self.flags & HAS_USAGE else 0

    @property
    def signs_alone(self):
        """Its key is for signatures, and for no certificate and no list."""
        return (self.usages & (DIGITAL_SIGNATURE | SIGNS_CERTIFICATES | SIGNS_LISTS)
                == DIGITAL_SIGNATURE and not self.flags & (IS_AUTHORITY | HAS_EXTENDED))

    @property
    def issues(self):
        return bool(self.flags & IS_AUTHORITY and self.usages & SIGNS_CERTIFICATES)

    @property
    def key(self):
        """None where the library knows no such key."""
        found = lib.X509_get_pubkey(self.pointer)
        return Key(found) if found else None

    @property
    def uris(self):
        """The URIs among its alternative names, as bytes."""
        names = lib.X509_get_ext_d2i(self.pointer, ALTERNATIVE_NAMES, None, None)
        if not names:
            return []
        held = Owned(names, lib.GENERAL_NAMES_free)
        found, kind = [], ctypes.c_int()
        for i in range(lib.OPENSSL_sk_num(held.pointer)):
            name = lib.GENERAL_NAME_get0_value(lib.OPENSSL_sk_value(held.pointer, i),
                                               ctypes.byref(kind))
            if kind.value == URI:
                found.append(ctypes.string_at(lib.ASN1_STRING_get0_data(name),
                                              lib.ASN1_STRING_length(name)))
        return found


def chain_holds(chain, roots, seconds):
    """Whether the first certificate leads over the others to one in the file `roots`, at that
    time."""
    store = Owned(lib.X509_STORE_new(), lib.X509_STORE_free)
    if lib.X509_STORE_load_file(store.pointer, os.fsencode(roots)) != 1:
        return False
    between = Owned(lib.OPENSSL_sk_new_null(), lib.OPENSSL_sk_free)
    for one in chain[1:]:
        lib.OPENSSL_sk_push(between.pointer, one.pointer)
    state = Owned(lib.X509_STORE_CTX_new(), lib.X509_STORE_CTX_free)
    if lib.X509_STORE_CTX_init(state.pointer, store.pointer, chain[0].pointer,
                               between.pointer) != 1:
        return False
    lib.X509_STORE_CTX_set_time(state.pointer, 0, seconds)
    held = lib.X509_verify_cert(state.pointer) == 1
    del state  # before what it reads
    return held


def gcm_open(key, data, sealed):
    """AES-256-GCM with a nonce of 12 zero bytes; `data` goes with it unsealed. Errors: Refused."""
    text, tag = sealed[:-TAG], sealed[-TAG:]
    state = Owned(lib.EVP_CIPHER_CTX_new(), lib.EVP_CIPHER_CTX_free)
    out, size = ctypes.create_string_buffer(len(text) + TAG), ctypes.c_int()
    good = (lib.EVP_DecryptInit_ex(state.pointer, lib.EVP_aes_256_gcm(), None, key, bytes(12)) == 1
            and lib.EVP_DecryptUpdate(state.pointer, None, ctypes.byref(size), data,
                                      len(data)) == 1
            and lib.EVP_DecryptUpdate(state.pointer, out, ctypes.byref(size), text,
                                      len(text)) == 1
            and lib.EVP_CIPHER_CTX_ctrl(state.pointer, SET_TAG, TAG, tag) == 1
            and lib.EVP_DecryptFinal_ex(state.pointer, None, ctypes.byref(size)) == 1)
    need(good, "the copy is not for this card, seat and key")
    return out.raw[:len(text)]


def certificates_of(path):
    """DER of each certificate of a PEM file."""
    with open(path, encoding="ascii", errors="replace") as file:
        found = re.findall("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----",
                           file.read())
    return [base64.b64decode("".join(one.split())) for one in found]
