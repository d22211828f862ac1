package dev.weir.server;

import dev.weir.AsyncRateLimiter;
import dev.weir.TimeSource;
import dev.weir.rules.LiveRules;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.envoy.AccountingModes;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorMeters;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.grpc.FollowedCertificate;
import dev.weir.server.grpc.GrpcServer;
import dev.weir.server.service.AdminOverrides;
import io.micrometer.core.instrument.MeterRegistry;

/** The parts of the service that serve Envoy's protocol, as its options say. */
record EnvoyService(DescriptorService service, AnswerDetails details) {
  static EnvoyService of(
      ServerOptions options,
      LiveRules rules,
      AsyncRateLimiter limiter,
      AdminOverrides overrides,
      MeterRegistry registry) {
    EnvoyOptions envoy = options.envoy();
    DescriptorService service =
        new DescriptorService(
            rules,
            limiter,
            overrides,
            new AccountingModes(envoy.shadow(), envoy.quota(), envoy.countOverLimit()),
            TimeSource.system(),
            envoy.ruleMetrics() ? new DescriptorMeters(registry) : null);
    return new EnvoyService(service, details(options, envoy));
  }

  private static AnswerDetails details(ServerOptions options, EnvoyOptions envoy) {
    EnvoyOptions.HeaderNames names = envoy.headerNames();
    return new AnswerDetails(
        envoy.headers() == EnvoyOptions.Headers.STANDARD ? options.fields() : null,
        envoy.headers() == EnvoyOptions.Headers.REFERENCE
            ? new AnswerDetails.ReferenceFields(names.limit(), names.remaining(), names.reset())
            : null,
        envoy.body(),
        envoy.resetTimes(),
        envoy.requestMetadata());
  }

  /**
   * @throws IllegalStateException if the port cannot be opened or the certificate cannot be read
   */
  GrpcServer listen(
      ServerOptions options, int port, ServerContext context, ConnectionRegistry connections) {
    EnvoyOptions envoy = options.envoy();
    return GrpcServer.start(
        new GrpcServer.Listening(
            options.host(),
            port,
            envoy
                .tls()
                .map(
                    tls -> new FollowedCertificate(tls.certificate(), tls.key(), tls.authorities()))
                .orElse(null),
            envoy.maxConnectionAge()),
        service,
        details,
        new GrpcServer.Bounds(
            context.waiting(),
            context.memory(),
            connections,
            options.requestTime(),
            options.idleTime()));
  }
}
