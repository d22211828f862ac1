package dev.weir.spring.internal.start;

import dev.weir.redis.RedisTls.Verification;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything below {@code weir} in the application's properties. Immutable.
 *
 * @param enabled Whether Weir limits anything.
 * @param store Where state is kept: memory, redis (the application's own, from spring.data.redis),
 *     or the address of a Redis. By default redis if spring.data.redis names a server, else memory.
 * @param namespace What keeps this application's state apart from that of others on the same Redis.
 *     By default spring.application.name, or "default" without one.
 * @param rules Which limits apply to which requests and methods, in the format of a rules file.
 * @param rulesFile File with the rules, read again while the application runs, or a resource
 *     (classpath:weir.yaml), which is read once. Instead of weir.rules.
 * @param reloadInterval How often the file with the rules is read.
 */
@ConfigurationProperties(prefix = "weir", ignoreUnknownFields = false)
record WeirProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String store,
    @Nullable String namespace,
    @Nullable List<Map<String, Object>> rules,
    @Nullable String rulesFile,
    @DefaultValue("1s") Duration reloadInterval,
    @DefaultValue Memory memory,
    @DefaultValue Redis redis,
    @DefaultValue Method method,
    @DefaultValue Web web) {

  /**
   * The store in memory.
   *
   * @param maxKeys The most keys kept at once, counted per limit.
   */
  record Memory(@DefaultValue("10000000") long maxKeys) {}

  /**
   * Redis, and what stands between it and the application.
   *
   * @param deadline The longest that a decision waits for Redis; then the failure policy answers.
   * @param denyCache How long a denial may be repeated without asking Redis; 0 switches that off.
   * @param breakerAfter How many unanswered calls in a row stop calls to a server.
   * @param instances How many instances share the limits, for the failure policy "local". By
   *     default Redis says.
   * @param requireAtStart Whether the application fails to start while Redis cannot be reached.
   * @param connectTimeout How long connecting may take. By default
   *     spring.data.redis.connect-timeout, or 2s.
   * @param sslBundle Name of the SSL bundle with the certificates for a Redis with TLS. By default
   *     spring.data.redis.ssl.bundle if the application's Redis is used, else those of the JVM.
   * @param verifyPeer What is checked of the certificate of a Redis with TLS. By default
   *     everything; "ca" leaves out the host name, so that anybody with a certificate of the same
   *     authority can pose as the server; "none" checks nothing, for tests only.
   */
  record Redis(
      @DefaultValue("50ms") Duration deadline,
      @DefaultValue("1s") Duration denyCache,
      @DefaultValue("5") int breakerAfter,
      @Nullable Integer instances,
      @DefaultValue("true") boolean requireAtStart,
      @Nullable Duration connectTimeout,
      @Nullable String sslBundle,
      @Nullable Verification verifyPeer) {}

  /**
   * Limits of methods.
   *
   * @param enabled Whether @RateLimited has an effect.
   */
  record Method(@DefaultValue("true") boolean enabled) {}

  /**
   * Limits of HTTP requests.
   *
   * @param enabled Whether HTTP requests are limited by the rules.
   * @param trustedProxies Addresses and networks of the proxies in front of the application, such
   *     as 10.0.0.0/8, whose forwarding field tells the address of the client.
   * @param forwardingField Field in which the proxies tell it.
   * @param ipv6Prefix How many bits of an IPv6 address are one client.
   * @param legacyFields Whether X-RateLimit-Limit, -Remaining and -Reset are sent as well, and what
   *     the reset counts.
   */
  record Web(
      @DefaultValue("true") boolean enabled,
      @DefaultValue List<String> trustedProxies,
      @DefaultValue("x-forwarded-for") ForwardingFieldName forwardingField,
      @DefaultValue("64") int ipv6Prefix,
      @DefaultValue("none") LegacyFieldsProperty legacyFields) {}

  /** A field in which proxies tell whom they forward for. */
  enum ForwardingFieldName {
    X_FORWARDED_FOR,
    FORWARDED
  }

  /** What {@code X-RateLimit-Reset} counts. */
  enum LegacyFieldsProperty {
    /** The fields are not sent. */
    NONE,
    /** Seconds from now. */
    DELTA,
    /** Seconds since 1970. */
    EPOCH
  }
}
