package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the service starts and ends. */
final class StopTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");

  @TempDir Path directory;

  @Test
  void aStoppingServiceIsNotReadyFirstAndStillAnswers() throws InterruptedException {
    RunningService service =
        RunningService.start(RunningService.options(directory).drain(Duration.ofSeconds(2)));
    assertThat(service.http.get("/readyz").status()).isEqualTo(200);
    Thread stopping = new Thread(service::close);
    stopping.start();

    await().until(() -> service.http.get("/readyz").status() == 503);
    assertThat(service.http.get("/healthcheck").status()).isEqualTo(503);
    assertThat(service.http.get("/healthz").json().getString("status")).isEqualTo("draining");
    assertThat(service.http.check(ANN).status()).isEqualTo(200);

    stopping.join(10_000);
    assertThatThrownBy(() -> service.http.get("/healthz")).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (RunningService first = RunningService.start(directory)) {
      int port = first.server.port();
      ServerOptions same = RunningService.options(directory).port(port);
      assertThatThrownBy(() -> WeirServer.start(same))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("cannot listen on 127.0.0.1:" + port + ": ");
    }
  }

  @Test
  void sharedRulesNeedAStoreThatIsShared() {
    assertThatThrownBy(() -> WeirServer.start(RunningService.options(directory).sharedRules(true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shared rules need a Redis that all instances share; the store is memory");
  }

  @Test
  void aStoreThatIsNoneIsRefusedWithoutItsPassword() {
    ServerOptions options = RunningService.options(directory).store("postgres://me:secret@host");
    assertThatThrownBy(() -> WeirServer.start(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "store must be memory, redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
                + " redis-cluster:// or rediss-cluster://, was postgres://***");
  }
}
