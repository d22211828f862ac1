package dev.weir.spring.internal.start;

import dev.weir.TimeSource;
import dev.weir.http.ClientAddress;
import dev.weir.http.RateLimitFields;
import dev.weir.redis.StoreAddress;
import dev.weir.spring.internal.setting.InvalidSettingException;
import dev.weir.spring.internal.start.WeirProperties.ForwardingFieldName;
import dev.weir.spring.internal.store.ConfiguredStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.core.env.Environment;

/** Makes objects of the properties, and refuses an invalid value with the name of its property. */
final class SettingChecks {
  private static final Duration USUAL_CONNECT_TIMEOUT = Duration.ofSeconds(2);

  private static final String NEEDS_TLS =
      "must be given only for an address that begins with rediss, or with"
          + " spring.data.redis.ssl.enabled; the address is ";

  private SettingChecks() {}

  static ConfiguredStore store(WeirProperties properties, Environment environment) {
    WeirProperties.Redis redis = properties.redis();
    atLeastOne("weir.memory.max-keys", properties.memory().maxKeys());
    atLeastOne("weir.redis.breaker-after", redis.breakerAfter());
    positive("weir.redis.deadline", redis.deadline());
    if (redis.denyCache().isNegative()) {
      throw invalid("weir.redis.deny-cache", redis.denyCache(), "must be 0 or longer");
    }
    return new ConfiguredStore(
        namespace(properties, environment),
        properties.memory().maxKeys(),
        redis.deadline(),
        redis.denyCache(),
        redis.breakerAfter(),
        instances(redis),
        redis.requireAtStart(),
        connectTimeout(redis, environment),
        Optional.ofNullable(redis.verifyPeer()));
  }

  /** Refuses settings of TLS for an address without. */
  static void tls(WeirProperties.Redis redis, StoreAddress address) {
    boolean without = !address.isMemory() && !address.toString().startsWith("rediss");
    if (without && redis.sslBundle() != null) {
      throw invalid("weir.redis.ssl-bundle", redis.sslBundle(), NEEDS_TLS + address);
    }
    if (without && redis.verifyPeer() != null) {
      throw invalid("weir.redis.verify-peer", redis.verifyPeer(), NEEDS_TLS + address);
    }
  }

  /**
   * {@code weir.namespace}, else the name of the application, with a dash for each character that a
   * namespace must not have.
   */
  private static String namespace(WeirProperties properties, Environment environment) {
    String own = properties.namespace();
    if (own != null) {
      if (!own.matches("[A-Za-z0-9._:@/+=,~!*()$&-]{1,96}")) {
        throw invalid("weir.namespace", own, "must be 1 to 96 letters, digits or ._-:@/+=,~!*()$&");
      }
      return own;
    }
    String application = environment.getProperty("spring.application.name", "");
    String plain = application.replaceAll("[^A-Za-z0-9._:@/+=,~!*()$&-]", "-");
    return plain.isEmpty() ? "default" : plain.substring(0, Math.min(96, plain.length()));
  }

  private static OptionalInt instances(WeirProperties.Redis redis) {
    Integer instances = redis.instances();
    if (instances == null) {
      return OptionalInt.empty();
    }
    atLeastOne("weir.redis.instances", instances);
    return OptionalInt.of(instances);
  }

  private static Duration connectTimeout(WeirProperties.Redis redis, Environment environment) {
    Duration own = redis.connectTimeout();
    Duration chosen =
        own != null
            ? own
            : environment.getProperty(
                "spring.data.redis.connect-timeout", Duration.class, USUAL_CONNECT_TIMEOUT);
    positive("weir.redis.connect-timeout", chosen);
    return chosen;
  }

  static ClientAddress clientAddress(WeirProperties.Web web) {
    ClientAddress addresses;
    try {
      addresses = ClientAddress.behind(web.trustedProxies());
    } catch (IllegalArgumentException notAddresses) {
      throw invalid(
          "weir.web.trusted-proxies",
          web.trustedProxies(),
          "must be addresses and networks such as 10.0.0.0/8");
    }
    if (web.ipv6Prefix() < 1 || web.ipv6Prefix() > 128) {
      throw invalid("weir.web.ipv6-prefix", web.ipv6Prefix(), "must be between 1 and 128");
    }
    addresses = addresses.withIpv6Prefix(web.ipv6Prefix());
    return web.forwardingField() == ForwardingFieldName.FORWARDED
        ? addresses.readingForwarded()
        : addresses;
  }

  static RateLimitFields fields(WeirProperties.Web web) {
    RateLimitFields standard = RateLimitFields.standard();
    return switch (web.legacyFields()) {
      case NONE -> standard;
      case DELTA -> standard.withLegacyDelta();
      case EPOCH -> standard.withLegacyEpoch(TimeSource.system());
    };
  }

  private static void atLeastOne(String property, long value) {
    if (value < 1) {
      throw invalid(property, value, "must be 1 or more");
    }
  }

  static void positive(String property, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw invalid(property, value, "must be longer than zero");
    }
  }

  private static InvalidSettingException invalid(String property, Object value, String expected) {
    return new InvalidSettingException(property, String.valueOf(value), expected);
  }
}
