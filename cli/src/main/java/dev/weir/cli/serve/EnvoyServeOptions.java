package dev.weir.cli.serve;

import dev.weir.cli.options.CertificateFiles;
import dev.weir.server.EnvoyOptions;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How to serve Envoy's rate-limit protocol. */
final class EnvoyServeOptions {
  @Option(
      names = "--grpc-port",
      paramLabel = "<port>",
      description =
          "Port for Envoy's protocol over gRPC; 0 takes a free one."
              + " Default: 8081 if a rule file has a domain, else none")
  private @Nullable Integer grpcPort;

  @Option(
      names = "--grpc-tls-cert",
      paramLabel = "<file>",
      description = "Certificate chain for gRPC as PEM; then gRPC is served over TLS only.")
  private @Nullable Path grpcCertificate;

  @Option(names = "--grpc-tls-key", paramLabel = "<file>", description = "Its private key as PEM.")
  private @Nullable Path grpcKey;

  @Option(
      names = "--grpc-tls-ca",
      paramLabel = "<file>",
      description = "Who must have signed the certificates of clients, which then need one.")
  private @Nullable Path grpcAuthorities;

  @Option(
      names = "--envoy-headers",
      paramLabel = "standard|reference|none",
      description =
          "Fields that proxies add to responses: RateLimit, RateLimit-Policy and Retry-After, the"
              + " three of the reference service, or none. Default: standard")
  private EnvoyOptions.Headers headers = EnvoyOptions.Headers.STANDARD;

  @Option(names = "--no-envoy-body", description = "Refused clients get no body from us.")
  private boolean noBody;

  @Option(names = "--no-envoy-reset", description = "Statuses do not say when a limit is fresh.")
  private boolean noReset;

  @Option(
      names = "--envoy-shadow",
      description = "Refuse nothing over Envoy's protocol; statuses show what would have been.")
  private boolean shadow;

  @Option(
      names = "--envoy-quota",
      description = "Every limit is a quota: refuse only what all limits of a request refuse.")
  private boolean quota;

  @Option(
      names = "--count-over-limit",
      description = "Refused requests count, too, as in Envoy's reference service.")
  private boolean countOverLimit;

  @Option(
      names = "--envoy-metadata",
      description = "Send descriptors and refusing quotas back as dynamic metadata.")
  private boolean metadata;

  @Option(
      names = "--envoy-metrics",
      description = "Add metrics per rule under the names of Envoy's reference service.")
  private boolean metrics;

  @Option(
      names = "--xds",
      paramLabel = "<host:port>",
      description = "Control plane that rules come from (xDS), in the place of --config.")
  private @Nullable String xds;

  @Option(
      names = "--xds-node-id",
      paramLabel = "<id>",
      description = "How the control plane knows this service. Default: weir")
  private String xdsNodeId = "weir";

  @Option(
      names = "--xds-tls-cert",
      paramLabel = "<file>",
      description = "Our certificate for the control plane as PEM; then it is asked over TLS.")
  private @Nullable Path xdsCertificate;

  @Option(names = "--xds-tls-key", paramLabel = "<file>", description = "Its private key as PEM.")
  private @Nullable Path xdsKey;

  @Option(
      names = "--xds-tls-ca",
      paramLabel = "<file>",
      description = "Who must have signed its certificate. Default: whom the JVM trusts")
  private @Nullable Path xdsAuthorities;

  @Option(
      names = "--xds-start-without-rules",
      description = "Be ready before the control plane has sent rules; nothing is limited then.")
  private boolean startWithoutRules;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  EnvoyOptions options() {
    EnvoyOptions options =
        new EnvoyOptions()
            .headers(headers)
            .body(!noBody)
            .resetTimes(!noReset)
            .shadow(shadow)
            .quota(quota)
            .countOverLimit(countOverLimit)
            .requestMetadata(metadata)
            .ruleMetrics(metrics)
            .usualGrpcPort();
    if (grpcPort != null) {
      options.grpcPort(grpcPort);
    }
    tls("--grpc-tls", grpcCertificate, grpcKey, grpcAuthorities).ifPresent(options::tls);
    if (xds != null) {
      options.xds(
          new EnvoyOptions.Xds(
              xds,
              xdsNodeId,
              tls("--xds-tls", xdsCertificate, xdsKey, xdsAuthorities),
              startWithoutRules));
    }
    return options;
  }

  boolean hasControlPlane() {
    return xds != null;
  }

  private Optional<EnvoyOptions.GrpcTls> tls(
      String option, @Nullable Path certificate, @Nullable Path key, @Nullable Path authorities) {
    return CertificateFiles.of(spec, option, certificate, key)
        .map(
            files ->
                new EnvoyOptions.GrpcTls(
                    files.certificate(), files.key(), Optional.ofNullable(authorities)));
  }
}
