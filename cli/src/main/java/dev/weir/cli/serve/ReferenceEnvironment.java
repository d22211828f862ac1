package dev.weir.cli.serve;

import dev.weir.redis.RedisAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The environment of Envoy's reference service as options, so that its image can be replaced. It is
 * read only where it is that service's environment: if {@code CONFIG_TYPE} or {@code RUNTIME_ROOT}
 * is set.
 */
final class ReferenceEnvironment {
  private static final String XDS = "GRPC_XDS_SOTW";

  private final UnaryOperator<@Nullable String> variables;

  ReferenceEnvironment(UnaryOperator<@Nullable String> variables) {
    this.variables = variables;
  }

  /** What an option is in that environment; null if it says nothing about it. */
  @Nullable String option(String name) {
    if (get("CONFIG_TYPE") == null && get("RUNTIME_ROOT") == null) {
      return null;
    }
    return switch (name) {
      case "--port" -> get("PORT");
      case "--host" -> get("HOST");
      case "--grpc-port" -> get("GRPC_PORT");
      case "--store" -> store();
      case "--config" -> isXds() ? null : config();
      case "--admin-port" -> isTrue("USE_PROMETHEUS") ? portOf(get("PROMETHEUS_ADDR")) : null;
      case "--envoy-headers" -> isTrue("LIMIT_RESPONSE_HEADERS_ENABLED") ? "reference" : "none";
      case "--no-envoy-body" -> "true";
      case "--envoy-metrics" -> "true";
      case "--envoy-shadow" -> get("SHADOW_MODE");
      case "--envoy-quota" -> get("QUOTA_MODE");
      case "--envoy-metadata" -> get("RESPONSE_DYNAMIC_METADATA");
      default -> tls(name);
    };
  }

  private @Nullable String tls(String name) {
    boolean grpc = isTrue("GRPC_SERVER_USE_TLS");
    boolean xds = isXds() && isTrue("CONFIG_GRPC_XDS_SERVER_USE_TLS");
    boolean redis = isTrue("REDIS_TLS");
    return switch (name) {
      case "--store-tls-ca" -> redis ? get("REDIS_TLS_CACERT") : null;
      case "--store-tls-cert" -> redis ? get("REDIS_TLS_CLIENT_CERT") : null;
      case "--store-tls-key" -> redis ? get("REDIS_TLS_CLIENT_KEY") : null;
      case "--store-tls-verify" ->
          redis && isTrue("REDIS_TLS_SKIP_HOSTNAME_VERIFICATION") ? "ca" : null;
      case "--grpc-tls-cert" -> grpc ? get("GRPC_SERVER_TLS_CERT") : null;
      case "--grpc-tls-key" -> grpc ? get("GRPC_SERVER_TLS_KEY") : null;
      case "--grpc-tls-ca" -> grpc ? get("GRPC_SERVER_TLS_CA_CERT") : null;
      case "--xds" -> isXds() ? get("CONFIG_GRPC_XDS_SERVER_URL") : null;
      case "--xds-node-id" -> isXds() ? get("CONFIG_GRPC_XDS_NODE_ID") : null;
      case "--xds-start-without-rules" ->
          isXds() ? get("FORCE_START_WITHOUT_INITIAL_CONFIG") : null;
      case "--xds-tls-cert" -> xds ? get("CONFIG_GRPC_XDS_CLIENT_TLS_CERT") : null;
      case "--xds-tls-key" -> xds ? get("CONFIG_GRPC_XDS_CLIENT_TLS_KEY") : null;
      case "--xds-tls-ca" -> xds ? get("CONFIG_GRPC_XDS_SERVER_TLS_CACERT") : null;
      default -> null;
    };
  }

  private boolean isXds() {
    return XDS.equals(get("CONFIG_TYPE"));
  }

  /** The directory of rule files: {@code RUNTIME_ROOT/RUNTIME_SUBDIRECTORY/config}. */
  private @Nullable String config() {
    String root = get("RUNTIME_ROOT");
    if (root == null) {
      return null;
    }
    String below = get("RUNTIME_SUBDIRECTORY");
    Path folder = below == null ? Path.of(root) : Path.of(root, below);
    return folder.resolve("config").toString();
  }

  /** {@code host:port}, of one server, of sentinels with the master's name, or of a cluster. */
  private @Nullable String store() {
    String address = get("REDIS_URL");
    if (address == null || address.contains("://")) {
      return address;
    }
    String tls = isTrue("REDIS_TLS") ? "rediss" : "redis";
    String password = get("REDIS_AUTH");
    String secret = password == null ? "" : ":" + RedisAddress.encode(password) + "@";
    String kind = get("REDIS_TYPE") == null ? "SINGLE" : get("REDIS_TYPE");
    return switch (String.valueOf(kind).toUpperCase(Locale.ROOT)) {
      case "CLUSTER" -> tls + "-cluster://" + secret + address;
      case "SENTINEL" -> sentinels(tls, secret, address);
      default -> tls + "://" + secret + address;
    };
  }

  /** The reference names the master first: {@code name,host:port,host:port}. */
  private static String sentinels(String tls, String secret, String address) {
    int comma = address.indexOf(',');
    String master = comma < 0 ? address : address.substring(0, comma);
    String servers = comma < 0 ? "" : address.substring(comma + 1);
    return tls + "-sentinel://" + secret + servers + "/0#" + master;
  }

  private static @Nullable String portOf(@Nullable String address) {
    return address == null ? null : address.substring(address.lastIndexOf(':') + 1);
  }

  private boolean isTrue(String variable) {
    return Map.of("true", true, "1", true)
        .getOrDefault(String.valueOf(get(variable)).toLowerCase(Locale.ROOT), false);
  }

  private @Nullable String get(String variable) {
    String value = variables.apply(variable);
    return value == null || value.isBlank() ? null : value;
  }
}
