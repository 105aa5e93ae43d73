/// \file
/// The daemon's configuration: one TOML file, every key known, every value checked before anything
/// starts.
///
/// Paths that do not begin with '/' are relative to the folder of the file. Defaults are the values
/// below.
/// Errors: Errc::bad_configuration with file, line and key; nothing is started with a half-read
///         file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace talla::rngd {

enum class ConfigErrc : std::uint16_t { bad_configuration = 820 };
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(ConfigErrc errc);

/// Whether development keys and uncertified sources are taken.
enum class Profile : std::uint8_t { development, production };

/// The whole configuration, its defaults filled in.
struct Config {
  Profile profile = Profile::development;
  std::string origin;       ///< Name of the log; fixed for the life of the ledger.
  std::string data_folder;  ///< Ledger, anchor and tiles; created if absent.
  /// Tile files for everybody to read; empty: `tiles` of the data folder, for the daemon alone.
  std::string tiles_folder;

  struct Ledger {
    std::string kind = "sqlite";  ///< `sqlite` (in the data folder) or `postgres` (on a server).
    std::string connection;       ///< libpq's, of a server; without a password.
    /// A start waits so long for a server that does not answer; 0 to 500.
    std::uint32_t wait_seconds = 120;
  } ledger;

  struct Api {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8443;
    std::string certificate;   ///< PEM, the appliance's server certificate and its issuers.
    std::string key;           ///< PEM, readable by the daemon's user alone.
    std::string client_roots;  ///< PEM, roots of client certificates.
    std::string enrolment;     ///< TOML list of clients (id, SPKI digest, roles).
    std::string revoked;  ///< PEM, the roots' lists of revoked certificates (CRL); empty: none.
    /// What Host may say, beside the names and addresses of the certificate; for all listeners.
    std::vector<std::string> names;
    std::uint32_t threads = 1;
  } api;

  struct Health {
    /// Plain HTTP with /livez, /readyz and /metrics; loopback addresses only.
    bool enabled = true;
    std::string address = "127.0.0.1";
    std::uint16_t port = 8444;
  } health;

  struct Public {
    /// HTTPS without client certificates: the verify page, the checkpoint, bundles by their links.
    bool enabled = false;
    std::string address = "127.0.0.1";
    std::uint16_t port = 8445;
    std::uint32_t connections = 64;              ///< 1 to 1,024.
    std::uint32_t connections_per_address = 16;  ///< The same, of one address.
    std::string certificate;  ///< Of public trust, with its key; empty: that of the API.
    std::string key;
  } public_listener;

  struct Source {
    std::string kind = "auto";  ///< `auto` (development only), `system`, or `usb`.
    struct Device {
      std::string model;   ///< Driver name, e.g. `chaoskey`.
      std::string serial;  ///< Empty: any, where one device of the model is named.
      /// Instead of it, where serials are alike: `1-4.2`, as `talla devices` says it.
      std::string port;
      /// Assessed min-entropy of a sample; 0: the driver's figure, which is assumed and for
      /// development only.
      std::uint32_t assessed_millibits = 0;
      /// Hex SHA-256 of the document behind the figure; empty: none, and the figure is for
      /// development only.
      std::string assessment;
      std::string assessment_file;  ///< The document itself; with a digest, and never without.
      /// `unit` (report on this unit) or `type` (type certification).
      std::string assessment_kind = "unit";
      std::uint32_t rate = 0;    ///< Measured samples a second; 0: the unit is held to its own.
      std::string settings;      ///< The device's own choices, `mode=raw,mask=3`.
      bool independent = false;  ///< Of all others that are: its entropy is added to theirs.
      /// Hex SHA-256 of the certification that states it; independent asks for one.
      std::string independence;
      bool required = true;  ///< Its loss latches; false: the others go on while one is credited.
    };
    /// For `usb`: from `[source]` itself (one device) or the list `[[source.device]]`.
    std::vector<Device> devices;
    /// Whom rngd-source becomes before it touches a device, when root starts the daemon; empty:
    /// nobody, once it is open.
    std::string user;
    /// Not of the file: where the unit has an rngd-source started for each connection (rngd
    ///                  --source-socket).
    std::string socket;
  } source;

  struct Keys {
    // Where a key is: a path, `credential:NAME` of the service manager, or a `pkcs11:` URI; see
    //                 certs/key_sources.hpp.
    /// Ed25519 key of the checkpoints; PEM where it is a file or a credential.
    std::string log_key;
    std::string log_statement;  ///< Path: JSON of certs/FORMAT.md section 5.
    /// The same for a rotation of the log key, opened when it is asked for; may be empty.
    std::string next_log_key;
    std::string next_log_statement;
    /// 32 bytes, `passphrase:PATH` (parameters) or `tpm:PATH` (sealed in a TPM).
    std::string sealing_key;
    std::string passphrase;  ///< Of `passphrase:`, perhaps of `tpm:`: a path or `credential:NAME`.
    std::string tpm_tcti;    ///< Of `tpm:`: TCTI of tpm2-tss; empty: the first that it finds.
    /// Path: the systemd-creds file behind a `credential:` sealing key, bound to TPM 2.
    std::string encrypted_credential;
  } keys;

  /// What keeps an older copy of the ledger from being taken up, beside the file `anchor.json`
  /// under `data`.
  struct Anchor {
    std::string kind = "local";  ///< `local` (that file alone), `tpm`, `hsm` or `witness`.
    std::string tpm_tcti;        ///< TCTI of tpm2-tss; empty: the first that it finds.
    std::uint32_t tpm_index = 0x01815454;  ///< NV index, in the owner's range; and the next.
    std::string tpm_auth;                  ///< Path or `credential:NAME`: its authorisation.
    std::string hsm;                       ///< `pkcs11:` URI of the object.
    /// Written at most so often while running; devices wear out.
    std::uint32_t interval_seconds = 60;
    /// Not written for so long: no new commitments; 0: never refused.
    std::uint32_t lost_after_seconds = 900;
    std::uint32_t witness_seconds = 10;  ///< Checkpoints are pushed to witnesses so often.
    std::uint32_t witness_timeout_seconds = 5;
    std::uint32_t witnesses_at_start = 1;  ///< So many must answer at a start, for `witness`.
  } anchor;

  /// A C2SP witness that cosigns this log's checkpoints.
  struct Witness {
    std::string key;    ///< Verifier key, `name+id+base64`.
    std::string url;    ///< Submission prefix, http:// or https://.
    std::string roots;  ///< PEM, roots of its certificate; for https.
  };
  std::vector<Witness> witnesses;  ///< The list `[[witness]]`; at most 16.

  /// Entropy for QEMU, OpenSSL and others over the EGD protocol; off unless a socket or a port is
  /// named.
  struct Egd {
    std::string socket;  ///< UNIX socket; empty: none.
    std::string group;   ///< May connect beside the daemon's user; empty: nobody else.
    std::string address = "127.0.0.1";        ///< Of the port; loopback addresses only.
    std::uint16_t port = 0;                   ///< TCP; 0: none.
    std::uint32_t clients = 32;               ///< At one time.
    std::uint32_t bytes_per_second = 65'536;  ///< Of all clients together.
    bool uncertified = false;                 ///< Give bytes of an uncertified source too.
    [[nodiscard]] bool enabled() const { return !socket.empty() || port != 0; }
  } egd;

  struct KernelFeed {
    bool enabled = false;  ///< Feed the kernel's pool (RNDADDENTROPY; needs CAP_SYS_ADMIN).
    std::uint32_t bytes_per_second = 64;
    /// At most; an uncertified source is credited nothing.
    std::uint32_t credit_bits_per_byte = 8;
  } kernel_feed;

  /// Samples for laboratories, by order of two persons.
  struct Laboratory {
    std::uint32_t bytes_per_second = 0;  ///< 0: no order is taken; else 256 to 1,048,576.
  } laboratory;

  struct Monitors {
    bool enabled = true;
    /// Probability of a false alarm of any e-process in the whole life; 1e-9 to 0.1.
    double alpha = 0.001;
    /// Steps of one detector until a false alarm, in the mean; from 1000.
    std::int64_t run_length = 1'000'000'000;
    /// Conditioned bits given up for their monitor; 0: none.
    std::uint32_t bits_per_second = 4096;
    // What an alarm does: `record`, or `latch` (new commitments stop).
    std::string noise = "record";
    std::string bits = "record";
    std::string outcomes = "record";
    std::string detectors = "record";
    std::string quality = "record";
  } monitors;

  /// What the software of this appliance must be; production needs it.
  struct Software {
    std::string manifest;    ///< Signed manifest (`talla software`); empty: none is checked.
    std::string signer;      ///< Verifier key of who made the software, `name+id+base64`.
    std::string laboratory;  ///< Verifier key of who must have signed beside; empty: nobody.
    std::uint32_t check_hours = 24;  ///< Between two checks of everything; 1 to 24.
  } software;

  /// What a laboratory and a regulator say of this appliance; none of the three, or all.
  struct Certification {
    std::string folder;             ///< Their files (`talla-lab certify`), *.json, and withdrawals.
    std::string type_root;          ///< PEM, roots of laboratories.
    std::string installation_root;  ///< PEM, roots of regulators and inspectors.
  } certification;

  struct Limits {
    std::uint32_t requests_per_second = 2000;  ///< Of one client, sustained.
    std::uint32_t burst = 4000;
    // Places of the API's listener: see http::Shares.
    std::uint32_t connections = 1024;  ///< Of all clients together.
    std::uint32_t connections_per_client = 64;
    std::uint32_t connections_per_address = 768;
    std::uint32_t streams = 512;  ///< Connections that stream events.
    std::uint32_t streams_per_client = 8;
    std::uint32_t streams_per_address = 256;
    std::uint32_t strangers = 512;        ///< Callers not known yet; of each listener.
    std::uint32_t stranger_seconds = 10;  ///< Until they are cut; 1 to 60.
    /// TLS handshakes a second without a certificate; 1 to 10000.
    std::uint32_t handshakes_per_address = 100;
    std::uint32_t disk_reserve_mib = 256;  ///< Below it nothing new is committed to.
    std::uint32_t batch_count_max = 256;   ///< Secrets of one batch.
    std::uint32_t batch_lifetime_seconds = 600;
    std::uint32_t clock_step_max_seconds = 60;  ///< A larger step of the wall clock latches.
    /// An act of two persons is confirmed within it; 60 to 3600.
    std::uint32_t second_person_seconds = 600;
  } limits;
};

/// One setting that the reader asks a file for.
struct KnownKey {
  std::string name;      ///< With its section: `api.port`; `source.device.model` within the list.
  std::string fallback;  ///< What holds without it, as TOML.
  std::string range;     ///< Of numbers: `1 to 64`.
  bool required = false;
};

/// `text` is the file's content, `path` its name for messages and relative paths. `known`, if not
/// null, takes the settings of all sections that the file has, named in it or not, in the order of
/// reading; for documentation.
[[nodiscard]] Result<Config> parse_config(std::string_view text, const std::string& path,
                                          std::vector<KnownKey>* known = nullptr);
[[nodiscard]] Result<Config> load_config(const std::string& path);

}  // namespace talla::rngd
