package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.server.EnvoyOptions;
import dev.weir.server.EnvoyOptions.GrpcTls;
import dev.weir.server.RunningService;
import dev.weir.server.TestCertificate;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of the gRPC port that are replaced while it is served. */
@Tag("slow")
@Timeout(90)
final class RenewedCertificateTest {
  @TempDir Path folder;
  @TempDir Path copies;

  @Test
  void aRenewedCertificateAndItsAuthorityAreUsedWithoutARestart() throws Exception {
    TestCertificate first = TestCertificate.make(folder);
    Path certificate = first.files.certificate();
    GrpcTls tls = new GrpcTls(certificate, first.files.key(), Optional.of(certificate));
    Path before = copy(first, "before");
    EnvoyOptions envoy = new EnvoyOptions().grpcPort(0).tls(tls);
    try (RunningService service =
        RunningService.start(RunningService.options(folder).envoy(envoy))) {
      int port = service.server.grpcPort().getAsInt();
      assertThat(health(port, before)).isEqualTo(ServingStatus.SERVING);
      Path after = copy(TestCertificate.renew(folder), "after");
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> health(port, after) == ServingStatus.SERVING);
      assertThatThrownBy(() -> health(port, before)).isInstanceOf(StatusRuntimeException.class);

      Files.writeString(certificate, "no certificate");
      await() // until the service has read it twice
          .during(Duration.ofSeconds(5))
          .atMost(Duration.ofSeconds(30))
          .until(() -> health(port, after) == ServingStatus.SERVING);
    }
  }

  /** What a client uses must not change under it. */
  private Path copy(TestCertificate made, String name) throws Exception {
    Path to = Files.createDirectory(copies.resolve(name));
    Files.copy(
        made.files.certificate(), to.resolve("cert.pem"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.copy(made.files.key(), to.resolve("key.pem"), StandardCopyOption.COPY_ATTRIBUTES);
    return to;
  }

  /** Over a connection of its own, of a client that trusts and shows one certificate. */
  private static ServingStatus health(int port, Path client) throws Exception {
    SslContextBuilder tls =
        GrpcSslContexts.forClient()
            .trustManager(client.resolve("cert.pem").toFile())
            .keyManager(client.resolve("cert.pem").toFile(), client.resolve("key.pem").toFile());
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", port).sslContext(tls.build()).build();
    try {
      return HealthGrpc.newBlockingStub(channel)
          .withDeadlineAfter(10, TimeUnit.SECONDS)
          .check(HealthCheckRequest.getDefaultInstance())
          .getStatus();
    } finally {
      channel.shutdownNow();
    }
  }
}
