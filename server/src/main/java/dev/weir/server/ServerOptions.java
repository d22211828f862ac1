package dev.weir.server;

import dev.weir.http.ClientAddress;
import dev.weir.http.RateLimitFields;
import dev.weir.internal.Check;
import dev.weir.redis.RedisTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a service is to run. Every setting has a default; without any, it is a demonstration: sample
 * rules from memory, on port 8080 of this machine only. Not safe for many threads.
 */
public final class ServerOptions {
  /** Shorter ones can be guessed over the network. */
  private static final int LEAST_TOKEN = 16;

  private static final String LOOPBACK = "127.0.0.1";
  private static final String ALL_ADDRESSES = "0.0.0.0";

  private @Nullable String host;
  private int port = 8080;
  private List<Path> config = List.of();
  private Optional<String> store = Optional.empty();
  private Optional<RedisTls> storeTls = Optional.empty();
  private String namespace = "default";
  private boolean requireStore;
  private boolean sharedRules;
  private Duration deadline = Duration.ofMillis(50);
  private Duration denyCache = Duration.ofSeconds(1);
  private boolean askAgain;
  private OptionalInt instances = OptionalInt.empty();
  private long maxKeys = 10_000_000;
  private Optional<String> adminToken = Optional.empty();
  private ClientAddress clientAddress = ClientAddress.ofConnection();
  private RateLimitFields fields = RateLimitFields.standard();
  private Optional<Tls> tls = Optional.empty();
  private Duration drain = Duration.ofSeconds(5);
  private Duration warmUp = Duration.ZERO;
  private int maxInFlight = 10_000;
  private OptionalInt maxConnections = OptionalInt.empty();
  private OptionalLong maxRequestBytes = OptionalLong.empty();
  private OptionalInt adminPort = OptionalInt.empty();
  private Optional<String> adminHost = Optional.empty();
  private Optional<Path> adminCa = Optional.empty();
  private boolean openExplain;
  private int maxBodyBytes = 65_536;
  private Duration requestTime = Duration.ofSeconds(10);
  private Duration idleTime = Duration.ofSeconds(60);
  private EnvoyOptions envoy = new EnvoyOptions();

  /** All settings with their defaults. */
  public ServerOptions() {}

  /** Where the certificate chain and its key lie, both as PEM. */
  public record Tls(Path certificate, Path key) {
    public Tls {
      Objects.requireNonNull(certificate, "certificate must not be null");
      Objects.requireNonNull(key, "key must not be null");
    }
  }

  /** As set; otherwise all addresses, or only loopback if there are no rules. */
  public String host() {
    if (host != null) {
      return host;
    }
    return config.isEmpty() && envoy.xds().isEmpty() ? LOOPBACK : ALL_ADDRESSES;
  }

  /** The address to listen on. */
  public ServerOptions host(String newHost) {
    host = Objects.requireNonNull(newHost, "host must not be null");
    return this;
  }

  public int port() {
    return port;
  }

  /**
   * @param newPort from 0 to 65535; 0 takes one that is free
   */
  public ServerOptions port(int newPort) {
    port = OptionChecks.between("port", newPort, 0, 65_535);
    return this;
  }

  public List<Path> config() {
    return config;
  }

  /** Files and directories with rules, followed while running. None means the sample rules. */
  public ServerOptions config(List<Path> filesOrDirectories) {
    config = List.copyOf(filesOrDirectories);
    return this;
  }

  public Optional<String> store() {
    return store;
  }

  /** {@code memory} or the address of a Redis; by default that of the rules, else memory. */
  public ServerOptions store(String newStore) {
    store = Optional.of(newStore);
    return this;
  }

  public Optional<RedisTls> storeTls() {
    return storeTls;
  }

  /** Certificates for a store whose address begins with {@code rediss}. */
  public ServerOptions storeTls(RedisTls files) {
    storeTls = Optional.of(files);
    return this;
  }

  public String namespace() {
    return namespace;
  }

  /** Keeps services apart that share a Redis. */
  public ServerOptions namespace(String newNamespace) {
    namespace = Objects.requireNonNull(newNamespace, "namespace must not be null");
    return this;
  }

  public boolean requireStore() {
    return requireStore;
  }

  /** Refuses to start while the store cannot be reached, instead of answering by failure policy. */
  public ServerOptions requireStore(boolean required) {
    requireStore = required;
    return this;
  }

  public boolean sharedRules() {
    return sharedRules;
  }

  /** Follows rules that any instance has received over HTTP; they are kept in the shared Redis. */
  public ServerOptions sharedRules(boolean shared) {
    sharedRules = shared;
    return this;
  }

  public Duration deadline() {
    return deadline;
  }

  /** The longest a decision may wait for Redis. */
  public ServerOptions deadline(Duration newDeadline) {
    deadline = Check.positive("deadline", newDeadline);
    return this;
  }

  public boolean askAgain() {
    return askAgain;
  }

  /** Whether Redis is asked again if a connection is lost before the answer to a request id. */
  public ServerOptions askAgain(boolean again) {
    askAgain = again;
    return this;
  }

  public Duration denyCache() {
    return denyCache;
  }

  /** How long a denial may be repeated without asking Redis; zero switches the cache off. */
  public ServerOptions denyCache(Duration longest) {
    denyCache = Check.notNegative("denyCache", longest);
    return this;
  }

  public OptionalInt instances() {
    return instances;
  }

  /** How many instances share the limits, for local shares; by default, Redis counts them. */
  public ServerOptions instances(int count) {
    instances = OptionalInt.of(OptionChecks.between("instances", count, 1, 1_000_000));
    return this;
  }

  public long maxKeys() {
    return maxKeys;
  }

  /** The most keys in memory, counted per limit. */
  public ServerOptions maxKeys(long keys) {
    maxKeys = keys;
    return this;
  }

  public Optional<String> adminToken() {
    return adminToken;
  }

  /** The bearer token of administrators; without one, only a demonstration is open to them. */
  public ServerOptions adminToken(String token) {
    if (token.length() < LEAST_TOKEN) {
      throw new IllegalArgumentException(
          "admin token must have at least "
              + LEAST_TOKEN
              + " characters, had "
              + token.length()
              + "; openssl rand -hex 32 makes one");
    }
    adminToken = Optional.of(token);
    return this;
  }

  public ClientAddress clientAddress() {
    return clientAddress;
  }

  /** How the address of a client is found, and which proxies are trusted. */
  public ServerOptions clientAddress(ClientAddress rule) {
    clientAddress = Objects.requireNonNull(rule, "rule must not be null");
    return this;
  }

  public RateLimitFields fields() {
    return fields;
  }

  public ServerOptions fields(RateLimitFields newFields) {
    fields = Objects.requireNonNull(newFields, "fields must not be null");
    return this;
  }

  public Optional<Tls> tls() {
    return tls;
  }

  public ServerOptions tls(Tls files) {
    tls = Optional.of(files);
    return this;
  }

  public Duration warmUp() {
    return warmUp;
  }

  /** How long it may send requests to itself before it is ready, to be quick then; 0 by default. */
  public ServerOptions warmUp(Duration longest) {
    warmUp = Check.notNegative("warmUp", longest);
    return this;
  }

  public Duration drain() {
    return drain;
  }

  /** How long a stopping service reports that it is not ready and still answers requests. */
  public ServerOptions drain(Duration time) {
    drain = Check.notNegative("drain", time);
    return this;
  }

  public int maxInFlight() {
    return maxInFlight;
  }

  /** How many requests may wait for an answer at once; more are shed with 503. */
  public ServerOptions maxInFlight(int requests) {
    maxInFlight = OptionChecks.between("maxInFlight", requests, 1, 10_000_000);
    return this;
  }

  /** As set; otherwise as many as the heap and the open files permit, and 10,000 at most. */
  public int maxConnections() {
    return maxConnections.orElseGet(
        () -> DefaultBounds.connections(tls.isPresent() || envoy.tls().isPresent()));
  }

  /** How many connections clients may have, over HTTP and gRPC; beyond, the idle are closed. */
  public ServerOptions maxConnections(int connections) {
    maxConnections =
        OptionalInt.of(OptionChecks.between("maxConnections", connections, 1, 10_000_000));
    return this;
  }

  /** As set; otherwise an eighth of the heap. */
  public long maxRequestBytes() {
    return maxRequestBytes.orElseGet(DefaultBounds::requestBytes);
  }

  /**
   * How many bytes the requests under way may hold together: fields, bodies as announced, answers
   * that clients have not read. As the bound comes near, the longest unfinished requests are given
   * up.
   */
  public ServerOptions maxRequestBytes(long bytes) {
    maxRequestBytes =
        OptionalLong.of(OptionChecks.between("maxRequestBytes", bytes, 1L << 20, 1L << 40));
    return this;
  }

  public OptionalInt adminPort() {
    return adminPort;
  }

  /**
   * A port of its own for administrators and metrics, which are then not served on the other.
   *
   * @param newPort from 0 to 65535; 0 takes one that is free
   */
  public ServerOptions adminPort(int newPort) {
    adminPort = OptionalInt.of(OptionChecks.between("adminPort", newPort, 0, 65_535));
    return this;
  }

  /** As set; otherwise that of clients. */
  public String adminHost() {
    return adminHost.orElseGet(this::host);
  }

  /** The address of the port for administrators. */
  public ServerOptions adminHost(String newHost) {
    adminHost = Optional.of(newHost);
    return this;
  }

  public Optional<Path> adminCa() {
    return adminCa;
  }

  /**
   * Who has signed the certificates of administrators, as PEM. The port of administrators then
   * accepts only clients with such a certificate; it needs {@link #adminPort} and {@link #tls}.
   */
  public ServerOptions adminCa(Path certificates) {
    adminCa = Optional.of(certificates);
    return this;
  }

  public boolean openExplain() {
    return openExplain;
  }

  /** Lets anybody read the rules and have requests explained; otherwise administrators may. */
  public ServerOptions openExplain(boolean open) {
    openExplain = open;
    return this;
  }

  public int maxBodyBytes() {
    return maxBodyBytes;
  }

  /** The largest body of a request; rules may be sixteen times as large. */
  public ServerOptions maxBodyBytes(int bytes) {
    maxBodyBytes = OptionChecks.between("maxBodyBytes", bytes, 1024, 16 << 20);
    return this;
  }

  public Duration requestTime() {
    return requestTime;
  }

  /** How long a client may take to send one request's body. */
  public ServerOptions requestTime(Duration time) {
    requestTime = Check.positive("requestTime", time);
    return this;
  }

  public Duration idleTime() {
    return idleTime;
  }

  /** How long a connection may go without a whole request. */
  public ServerOptions idleTime(Duration time) {
    idleTime = Check.positive("idleTime", time);
    return this;
  }

  public EnvoyOptions envoy() {
    return envoy;
  }

  /** How Envoy's rate-limit protocol is served. */
  public ServerOptions envoy(EnvoyOptions newOptions) {
    envoy = Objects.requireNonNull(newOptions, "options must not be null");
    return this;
  }
}
