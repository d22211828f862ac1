package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The environment that deployments of Envoy's reference service have. */
final class ReferenceEnvironmentTest {
  /** As Envoy Gateway sets it. */
  private static final Map<String, String> GATEWAY =
      Map.ofEntries(
          Map.entry("RUNTIME_ROOT", "/data"),
          Map.entry("RUNTIME_SUBDIRECTORY", "ratelimit"),
          Map.entry("RUNTIME_IGNOREDOTFILES", "true"),
          Map.entry("RUNTIME_WATCH_ROOT", "false"),
          Map.entry("LOG_LEVEL", "info"),
          Map.entry("USE_STATSD", "false"),
          Map.entry("CONFIG_TYPE", "GRPC_XDS_SOTW"),
          Map.entry("CONFIG_GRPC_XDS_SERVER_URL", "envoy-gateway:18001"),
          Map.entry("CONFIG_GRPC_XDS_NODE_ID", "envoy-ratelimit"),
          Map.entry("GRPC_SERVER_USE_TLS", "true"),
          Map.entry("GRPC_SERVER_TLS_CERT", "/certs/tls.crt"),
          Map.entry("GRPC_SERVER_TLS_KEY", "/certs/tls.key"),
          Map.entry("GRPC_SERVER_TLS_CA_CERT", "/certs/ca.crt"),
          Map.entry("CONFIG_GRPC_XDS_SERVER_USE_TLS", "true"),
          Map.entry("CONFIG_GRPC_XDS_CLIENT_TLS_CERT", "/certs/tls.crt"),
          Map.entry("CONFIG_GRPC_XDS_CLIENT_TLS_KEY", "/certs/tls.key"),
          Map.entry("CONFIG_GRPC_XDS_SERVER_TLS_CACERT", "/certs/ca.crt"),
          Map.entry("FORCE_START_WITHOUT_INITIAL_CONFIG", "true"),
          Map.entry("REDIS_SOCKET_TYPE", "tcp"),
          Map.entry("REDIS_URL", "redis:6379"),
          Map.entry("USE_PROMETHEUS", "true"),
          Map.entry("PROMETHEUS_ADDR", ":19001"));

  @Test
  void anEnvironmentOfEnvoyGatewayIsUnderstood() {
    ReferenceEnvironment environment = new ReferenceEnvironment(GATEWAY::get);
    assertThat(environment.option("--xds")).isEqualTo("envoy-gateway:18001");
    assertThat(environment.option("--xds-node-id")).isEqualTo("envoy-ratelimit");
    assertThat(environment.option("--xds-tls-cert")).isEqualTo("/certs/tls.crt");
    assertThat(environment.option("--xds-tls-key")).isEqualTo("/certs/tls.key");
    assertThat(environment.option("--xds-tls-ca")).isEqualTo("/certs/ca.crt");
    assertThat(environment.option("--xds-start-without-rules")).isEqualTo("true");
    assertThat(environment.option("--grpc-tls-cert")).isEqualTo("/certs/tls.crt");
    assertThat(environment.option("--grpc-tls-key")).isEqualTo("/certs/tls.key");
    assertThat(environment.option("--grpc-tls-ca")).isEqualTo("/certs/ca.crt");
    assertThat(environment.option("--store")).isEqualTo("redis://redis:6379");
    assertThat(environment.option("--admin-port")).isEqualTo("19001");
    assertThat(environment.option("--envoy-headers")).isEqualTo("none");
    assertThat(environment.option("--config")).isNull();
  }

  @Test
  void withoutAControlPlaneFilesAreRead() {
    Map<String, String> files = new HashMap<>();
    files.put("RUNTIME_ROOT", "/data");
    files.put("RUNTIME_SUBDIRECTORY", "ratelimit");
    files.put("REDIS_TYPE", "SENTINEL");
    files.put("REDIS_URL", "master,one:26379,two:26379");
    ReferenceEnvironment environment = new ReferenceEnvironment(files::get);
    assertThat(environment.option("--config")).isEqualTo("/data/ratelimit/config");
    assertThat(environment.option("--store"))
        .isEqualTo("redis-sentinel://one:26379,two:26379/0#master");
    assertThat(environment.option("--xds")).isNull();
    files.put("REDIS_TYPE", "cluster");
    files.put("REDIS_TLS", "true");
    files.put("REDIS_AUTH", "a@b c");
    files.put("REDIS_URL", "one:6379,two:6379");
    assertThat(environment.option("--store"))
        .isEqualTo("rediss-cluster://:a%40b%20c@one:6379,two:6379");
    files.put("REDIS_TLS_CACERT", "/certs/redis.crt");
    assertThat(environment.option("--store-tls-ca")).isEqualTo("/certs/redis.crt");
    assertThat(environment.option("--store-tls-cert")).isNull();
    assertThat(environment.option("--store-tls-verify")).isNull();
    files.put("REDIS_TLS_SKIP_HOSTNAME_VERIFICATION", "true");
    assertThat(environment.option("--store-tls-verify")).isEqualTo("ca");
    files.put("REDIS_TLS", "false");
    assertThat(environment.option("--store-tls-ca")).isNull();
    assertThat(environment.option("--store-tls-verify")).isNull();
  }

  @Test
  void anEnvironmentThatIsNotOfTheReferenceServiceMeansNothing() {
    ReferenceEnvironment environment =
        new ReferenceEnvironment(Map.of("PORT", "1", "REDIS_URL", "redis:6379")::get);
    assertThat(environment.option("--port")).isNull();
    assertThat(environment.option("--store")).isNull();
  }
}
