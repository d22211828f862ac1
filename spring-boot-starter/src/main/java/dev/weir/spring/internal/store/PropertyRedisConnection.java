package dev.weir.spring.internal.store;

import dev.weir.spring.internal.setting.InvalidSettingException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/** The application's Redis as {@code spring.data.redis} names it. */
public final class PropertyRedisConnection implements RedisConnectionSource {
  private static final String PREFIX = "spring.data.redis";

  private final Environment environment;
  private final Supplier<SslBundles> bundles;

  /**
   * @param bundles asked only if a bundle is named
   */
  public PropertyRedisConnection(Environment environment, Supplier<SslBundles> bundles) {
    this.environment = environment;
    this.bundles = bundles;
  }

  /** The part of the properties that makes an address. */
  record RedisProperties(
      @Nullable String url,
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String username,
      @Nullable String password,
      @DefaultValue("0") int database,
      @DefaultValue Ssl ssl,
      @Nullable Sentinel sentinel,
      @Nullable Cluster cluster) {}

  record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {
    /** A bundle that is named is used, unless that is switched off. */
    boolean used() {
      return enabled == null ? bundle != null : enabled;
    }
  }

  record Sentinel(String master, List<String> nodes) {}

  record Cluster(List<String> nodes) {}

  @Override
  public Optional<String> address(boolean required) {
    refuseUnsupported();
    RedisProperties settings = settings();
    boolean named =
        settings.url != null
            || settings.host != null
            || settings.port != null
            || settings.sentinel != null
            || settings.cluster != null;
    return named || required ? Optional.of(address(settings)) : Optional.empty();
  }

  @Override
  public Optional<Supplier<SslBundle>> sslBundle() {
    Ssl ssl = settings().ssl;
    String name = ssl.bundle;
    return name == null || !ssl.used()
        ? Optional.empty()
        : Optional.of(() -> bundles.get().getBundle(name));
  }

  private RedisProperties settings() {
    return Binder.get(environment).bindOrCreate(PREFIX, Bindable.of(RedisProperties.class));
  }

  /** Refuses settings that decide which server answers, or as whom, and that the store lacks. */
  private void refuseUnsupported() {
    for (String name : List.of("sentinel.username", "sentinel.password")) {
      String value = environment.getProperty(PREFIX + "." + name);
      if (value != null) {
        throw unsupported(name);
      }
    }
  }

  /** Its value is not shown: it may be a password. */
  private static InvalidSettingException unsupported(String name) {
    return new InvalidSettingException(
        PREFIX + "." + name,
        "***",
        "must not be set for Weir's store, which cannot use it; set weir.store to memory or to"
            + " an address of its own, or define a bean of type dev.weir.spi.LimitStore");
  }

  private static String address(RedisProperties settings) {
    if (settings.url != null) {
      return settings.ssl.used() ? settings.url.replaceFirst("^redis:", "rediss:") : settings.url;
    }
    return connection(settings).address();
  }

  private static RedisConnection connection(RedisProperties settings) {
    String kind = RedisConnection.STANDALONE;
    List<String> servers = List.of(standalone(settings));
    int database = settings.database;
    String master = null;
    if (settings.sentinel != null) {
      kind = RedisConnection.SENTINEL;
      servers = settings.sentinel.nodes();
      master = settings.sentinel.master();
    } else if (settings.cluster != null) {
      kind = RedisConnection.CLUSTER;
      servers = settings.cluster.nodes();
      database = 0;
    }
    return new RedisConnection(
        settings.ssl.used(), settings.username, settings.password, kind, servers, database, master);
  }

  private static String standalone(RedisProperties settings) {
    return RedisConnection.server(
        settings.host == null ? "localhost" : settings.host,
        settings.port == null ? 6379 : settings.port);
  }
}
