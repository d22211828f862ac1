package dev.weir.examples;

import dev.weir.RateLimiter;
import dev.weir.grpc.WeirInterceptor;
import dev.weir.http.HttpLimiter;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.protobuf.services.HealthStatusManager;

/**
 * A gRPC server whose calls are limited by the key in their metadata, and per method for those who
 * have none.
 */
final class GrpcProtection {
  static final String RULES =
      """
      rules:
        - name: by-key
          limits:
            - {name: api-key, key: header.x-api-key, limit: 100 per minute}
        - name: health
          when: {path: /grpc.health.v1.Health/Check}
          limits:
            - {name: health-ip, key: ip, limit: 10 per minute}
      """;

  private GrpcProtection() {}

  static Server server(int port, LimitStore store) {
    RuleSet rules = RuleSet.parse("grpc rules", RULES);
    HttpLimiter limiter = HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build();
    return Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create())
        .addService(new HealthStatusManager().getHealthService())
        .intercept(WeirInterceptor.of(limiter))
        .build();
  }
}
