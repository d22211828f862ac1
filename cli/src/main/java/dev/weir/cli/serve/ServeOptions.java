package dev.weir.cli.serve;

import dev.weir.TimeSource;
import dev.weir.cli.options.AddressOptions;
import dev.weir.cli.options.CertificateFiles;
import dev.weir.cli.options.RuleFileOptions;
import dev.weir.cli.options.StoreOptions;
import dev.weir.http.RateLimitFields;
import dev.weir.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How to run the service, as given on the command line or in the environment. */
final class ServeOptions {
  @Option(
      names = "--config",
      paramLabel = "<file>",
      split = ",",
      description =
          "Rule file, or directory with rule files, read again when they change; may be repeated."
              + " Default: weir.yaml if there is one, else sample rules")
  private List<Path> config = List.of();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--host",
      paramLabel = "<address>",
      description = "Address to listen on. Default: 0.0.0.0; without rules 127.0.0.1")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "<port>",
      description = "Port for HTTP; 0 takes a free one. Default: 8080")
  private int port = 8080;

  @Option(
      names = "--admin-port",
      paramLabel = "<port>",
      description =
          "Port of its own for administrators and metrics, which --port then does not serve.")
  private @Nullable Integer adminPort;

  @Option(
      names = "--admin-host",
      paramLabel = "<address>",
      description = "Address to listen on for --admin-port. Default: that of --host")
  private @Nullable String adminHost;

  @Option(
      names = "--admin-ca",
      paramLabel = "<file>",
      description =
          "Certificates as PEM: only clients with a certificate that one of them has signed reach"
              + " --admin-port. Needs --tls-cert. Default: certificates are not asked for")
  private @Nullable Path adminCa;

  @Option(
      names = "--open-explain",
      description =
          "Let anybody read the rules and have requests explained, not administrators only")
  private boolean openExplain;

  @Option(
      names = "--admin-token-file",
      paramLabel = "<file>",
      description = "File with the bearer token of administrators. Without one there are none")
  private @Nullable Path adminTokenFile;

  @Option(
      names = "--trusted-proxy",
      paramLabel = "<network>",
      split = ",",
      description =
          "Address or network whose X-Forwarded-For is believed; may be repeated. Default: none")
  private List<String> trustedProxies = List.of();

  @Mixin private AddressOptions address = new AddressOptions();

  @Option(
      names = "--namespace",
      paramLabel = "<name>",
      description = "Keeps services apart that share a Redis. Default: default")
  private String namespace = "default";

  @Option(
      names = "--deadline",
      paramLabel = "<ms>",
      description = "Longest wait for Redis, in milliseconds. Default: 50")
  private long deadlineMillis = 50;

  @Option(
      names = "--ask-again",
      description =
          "Ask Redis again if a connection is lost before the answer to a request with an id")
  private boolean askAgain;

  @Option(
      names = "--deny-cache",
      paramLabel = "<ms>",
      description = "How long a denial is repeated without asking Redis; 0: never. Default: 1000")
  private long denyCacheMillis = 1000;

  @Option(
      names = "--instances",
      paramLabel = "<n>",
      description =
          "How many instances share the limits, for local shares. Default: counted in Redis")
  private @Nullable Integer instances;

  @Option(
      names = "--require-store",
      description =
          "Do not start while Redis cannot be reached. Default: start, and answer by policy")
  private boolean requireStore;

  @Option(
      names = "--shared-rules",
      description = "Rules given over HTTP are kept in Redis and followed by all instances.")
  private boolean sharedRules;

  @Option(
      names = "--max-keys",
      paramLabel = "<n>",
      description = "Most keys in memory, counted per limit. Default: 10000000")
  private long maxKeys = 10_000_000;

  @Option(
      names = "--max-in-flight",
      paramLabel = "<n>",
      description = "Most requests waiting for an answer; more are shed. Default: 10000")
  private int maxInFlight = 10_000;

  @Option(
      names = "--max-connections",
      paramLabel = "<n>",
      description =
          "Most connections; if there are more, the longest idle are closed."
              + " Default: what the heap permits, 10000 at most")
  private @Nullable Integer maxConnections;

  @Option(
      names = "--max-request-mib",
      paramLabel = "<MiB>",
      description =
          "Most memory of all requests under way; those unfinished for the longest time are given"
              + " up. Default: an eighth of the heap")
  private @Nullable Integer maxRequestMib;

  @Option(
      names = "--legacy-fields",
      paramLabel = "delta|epoch",
      description = "Adds X-RateLimit-* with a reset in seconds from now, or since 1970.")
  private @Nullable LegacyFields legacyFields;

  @Option(
      names = "--tls-cert",
      paramLabel = "<file>",
      description = "Certificate chain as PEM; then HTTPS is served, and nothing else.")
  private @Nullable Path tlsCertificate;

  @Option(names = "--tls-key", paramLabel = "<file>", description = "Its private key as PEM.")
  private @Nullable Path tlsKey;

  @Option(
      names = "--warm-up",
      paramLabel = "<ms>",
      description =
          "How long to send requests to itself at most before it is ready, in milliseconds; 0 for"
              + " not at all. Default: 15000")
  private long warmUpMillis = 15_000;

  @Option(
      names = "--drain",
      paramLabel = "<ms>",
      description =
          "How long to answer on while not ready, before stopping, in milliseconds. Default: 5000")
  private long drainMillis = 5000;

  @Mixin private EnvoyServeOptions envoy = new EnvoyServeOptions();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  enum LegacyFields {
    DELTA,
    EPOCH
  }

  ServerOptions options() {
    ServerOptions options =
        new ServerOptions()
            .port(port)
            .config(config())
            .namespace(namespace)
            .deadline(Duration.ofMillis(deadlineMillis))
            .askAgain(askAgain)
            .denyCache(Duration.ofMillis(denyCacheMillis))
            .requireStore(requireStore)
            .sharedRules(sharedRules)
            .maxKeys(maxKeys)
            .maxInFlight(maxInFlight)
            .drain(Duration.ofMillis(drainMillis))
            .warmUp(Duration.ofMillis(warmUpMillis))
            .clientAddress(address.behind(trustedProxies))
            .fields(fields())
            .envoy(envoy.options());
    if (host != null) {
      options.host(host);
    }
    store.address().ifPresent(options::store);
    store.tls().ifPresent(options::storeTls);
    if (instances != null) {
      options.instances(instances);
    }
    if (maxConnections != null) {
      options.maxConnections(maxConnections);
    }
    if (maxRequestMib != null) {
      options.maxRequestBytes((long) maxRequestMib << 20);
    }
    addAdministration(options);
    addTls(options);
    return options;
  }

  List<Path> config() {
    boolean usesDefault =
        config.isEmpty() && !envoy.hasControlPlane() && Files.exists(RuleFileOptions.DEFAULT_FILE);
    return usesDefault ? List.of(RuleFileOptions.DEFAULT_FILE) : config;
  }

  boolean tls() {
    return tlsCertificate != null;
  }

  boolean admin() {
    return adminTokenFile != null || System.getenv("WEIR_ADMIN_TOKEN") != null;
  }

  private RateLimitFields fields() {
    RateLimitFields standard = RateLimitFields.standard();
    if (legacyFields == null) {
      return standard;
    }
    return switch (legacyFields) {
      case DELTA -> standard.withLegacyDelta();
      case EPOCH -> standard.withLegacyEpoch(TimeSource.system());
    };
  }

  private void addAdministration(ServerOptions options) {
    options.openExplain(openExplain);
    if (adminPort != null) {
      options.adminPort(adminPort);
    }
    if (adminHost != null) {
      options.adminHost(adminHost);
    }
    if (adminCa != null) {
      readable("--admin-ca", adminCa);
      options.adminCa(adminCa);
    }
    addAdminToken(options);
  }

  /** Not an option by itself, because every user of the machine can read a command line. */
  private void addAdminToken(ServerOptions options) {
    if (adminTokenFile != null) {
      options.adminToken(read("--admin-token-file", adminTokenFile));
    } else if (System.getenv("WEIR_ADMIN_TOKEN") != null) {
      options.adminToken(System.getenv("WEIR_ADMIN_TOKEN").strip());
    }
  }

  /**
   * @throws IllegalStateException if the file cannot be read
   */
  private static String read(String option, Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new IllegalStateException(option + " cannot be read: " + file, unreadable);
    }
  }

  private void addTls(ServerOptions options) {
    if (adminCa != null && (adminPort == null || tlsCertificate == null)) {
      throw usage("--admin-ca needs --admin-port, --tls-cert and --tls-key");
    }
    CertificateFiles.of(spec, "--tls", tlsCertificate, tlsKey)
        .ifPresent(files -> addTls(options, files));
  }

  private static void addTls(ServerOptions options, CertificateFiles files) {
    readable("--tls-cert", files.certificate());
    readable("--tls-key", files.key());
    options.tls(new ServerOptions.Tls(files.certificate(), files.key()));
  }

  private static void readable(String option, Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalStateException(option + " cannot be read: " + file);
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
