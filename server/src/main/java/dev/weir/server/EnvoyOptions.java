package dev.weir.server;

import dev.weir.internal.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How Envoy's rate-limit protocol is served. Every setting has a default; without a port it is
 * served over HTTP only, as {@code POST /json}. Not safe for many threads.
 */
public final class EnvoyOptions {
  private static final int USUAL_PORT = 8081;

  private OptionalInt grpcPort = OptionalInt.empty();
  private boolean usualPort;
  private Optional<GrpcTls> tls = Optional.empty();
  private Headers headers = Headers.STANDARD;
  private HeaderNames headerNames = HeaderNames.REFERENCE;
  private boolean body = true;
  private boolean resetTimes = true;
  private boolean shadow;
  private boolean quota;
  private boolean countOverLimit;
  private boolean requestMetadata;
  private boolean ruleMetrics;
  private Duration maxConnectionAge = Duration.ofHours(1);
  private Optional<Xds> xds = Optional.empty();

  /** All settings with their defaults. */
  public EnvoyOptions() {}

  /** Which header fields a proxy is told to add to responses. */
  public enum Headers {
    /** RateLimit, RateLimit-Policy and, on a refusal, Retry-After. */
    STANDARD,
    /** The three of the reference service: limit, remaining and reset of the tightest limit. */
    REFERENCE,
    NONE
  }

  /** What the three fields of the reference service are called. */
  public record HeaderNames(String limit, String remaining, String reset) {
    static final HeaderNames REFERENCE =
        new HeaderNames("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");

    public HeaderNames {
      Objects.requireNonNull(limit, "limit must not be null");
      Objects.requireNonNull(remaining, "remaining must not be null");
      Objects.requireNonNull(reset, "reset must not be null");
    }
  }

  /**
   * Files for TLS, all as PEM.
   *
   * @param authorities certificates of authorities that must have signed the peer's certificate; on
   *     a server they make certificates of clients mandatory
   */
  public record GrpcTls(Path certificate, Path key, Optional<Path> authorities) {
    public GrpcTls {
      Objects.requireNonNull(certificate, "certificate must not be null");
      Objects.requireNonNull(key, "key must not be null");
      Objects.requireNonNull(authorities, "authorities must not be null");
    }
  }

  /**
   * A control plane that rules come from, in the place of files.
   *
   * @param target host and port
   * @param nodeId how it knows this service
   * @param tls with a certificate of ours; empty for plain text
   * @param startWithoutRules whether the service is ready before it has rules
   */
  public record Xds(
      String target, String nodeId, Optional<GrpcTls> tls, boolean startWithoutRules) {
    public Xds {
      Objects.requireNonNull(target, "target must not be null");
      Objects.requireNonNull(nodeId, "nodeId must not be null");
      Objects.requireNonNull(tls, "tls must not be null");
    }
  }

  public OptionalInt grpcPort() {
    return grpcPort;
  }

  /** The port to serve on, if any, given whether the rules have domains. */
  OptionalInt grpcPort(boolean domains) {
    boolean usual = grpcPort.isEmpty() && usualPort && (domains || xds.isPresent());
    return usual ? OptionalInt.of(USUAL_PORT) : grpcPort;
  }

  /** Serves gRPC on port 8081, if none is given and the rules have domains. */
  public EnvoyOptions usualGrpcPort() {
    usualPort = true;
    return this;
  }

  /**
   * @param newPort from 0 to 65535; 0 takes one that is free
   */
  public EnvoyOptions grpcPort(int newPort) {
    grpcPort = OptionalInt.of(OptionChecks.between("grpcPort", newPort, 0, 65_535));
    return this;
  }

  public Optional<GrpcTls> tls() {
    return tls;
  }

  /** Serves gRPC over TLS, and nothing else. */
  public EnvoyOptions tls(GrpcTls files) {
    tls = Optional.of(files);
    return this;
  }

  public Headers headers() {
    return headers;
  }

  public EnvoyOptions headers(Headers newHeaders) {
    headers = Objects.requireNonNull(newHeaders, "headers must not be null");
    return this;
  }

  public HeaderNames headerNames() {
    return headerNames;
  }

  /** Other names for the fields of {@link Headers#REFERENCE}. */
  public EnvoyOptions headerNames(HeaderNames names) {
    headerNames = Objects.requireNonNull(names, "names must not be null");
    return this;
  }

  public boolean body() {
    return body;
  }

  /** Whether refused clients are sent a body that says why. */
  public EnvoyOptions body(boolean sent) {
    body = sent;
    return this;
  }

  public boolean resetTimes() {
    return resetTimes;
  }

  /** Whether statuses say when a limit is fresh, or when a refused request would pass. */
  public EnvoyOptions resetTimes(boolean sent) {
    resetTimes = sent;
    return this;
  }

  public boolean shadow() {
    return shadow;
  }

  /** Refuses nothing; statuses show what would have been. */
  public EnvoyOptions shadow(boolean on) {
    shadow = on;
    return this;
  }

  public boolean quota() {
    return quota;
  }

  /** Makes every limit a quota: a request is refused only if all of its limits refuse it. */
  public EnvoyOptions quota(boolean on) {
    quota = on;
    return this;
  }

  public boolean countOverLimit() {
    return countOverLimit;
  }

  /** Counts refused requests, too, as the reference service does. */
  public EnvoyOptions countOverLimit(boolean on) {
    countOverLimit = on;
    return this;
  }

  public boolean requestMetadata() {
    return requestMetadata;
  }

  /** Sends descriptors and refusing quotas back as dynamic metadata. */
  public EnvoyOptions requestMetadata(boolean sent) {
    requestMetadata = sent;
    return this;
  }

  public boolean ruleMetrics() {
    return ruleMetrics;
  }

  /** Adds the metrics per rule that the reference service has, under its names. */
  public EnvoyOptions ruleMetrics(boolean on) {
    ruleMetrics = on;
    return this;
  }

  public Duration maxConnectionAge() {
    return maxConnectionAge;
  }

  /** After this time a connection is closed in good order, so that balancers spread load anew. */
  public EnvoyOptions maxConnectionAge(Duration age) {
    maxConnectionAge = Check.positive("maxConnectionAge", age);
    return this;
  }

  public Optional<Xds> xds() {
    return xds;
  }

  /** Takes rules from a control plane instead of from files. */
  public EnvoyOptions xds(Xds source) {
    xds = Optional.of(source);
    return this;
  }
}
