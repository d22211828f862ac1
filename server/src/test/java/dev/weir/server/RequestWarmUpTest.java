package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testkit.RedisProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests that a service sends to itself before it is ready. */
@Tag("slow")
final class RequestWarmUpTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Logger WARM_UP_LOG = Logger.getLogger(RequestWarmUp.class.getName());

  @TempDir Path directory;

  @Test
  void aStartingServiceAnswersAndIsReadyWhenItIsWarm() {
    try (RedisProcess redis = RedisProcess.start();
        RunningService service = start(redis.uri(), LONGEST)) {
      assertThat(service.http.get("/readyz").status()).isEqualTo(503);
      assertThat(service.http.get("/healthz").json().getString("status")).isEqualTo("starting");
      assertThat(service.http.check(ANN).status()).isEqualTo(200);

      awaitReady(service);
    }
  }

  @Test
  void itsOwnRequestsAreSeenNeitherInMetricsNorInLimits() {
    try (RedisProcess redis = RedisProcess.start();
        RunningService service = start(redis.uri(), LONGEST)) {
      awaitReady(service);

      assertThat(service.http.get("/metrics").body())
          .doesNotContain("weir-warm-up")
          .doesNotContain("call=\"/v1/check\"");
      assertThat(firstLimit(service).getInteger("remaining")).isEqualTo(2);
    }
  }

  @Test
  void aServiceForProxiesAlsoCallsItselfOverGrpc() {
    RecordedLog log = new RecordedLog();
    WARM_UP_LOG.addHandler(log);
    try (RunningService service =
        RunningService.start(
            RunningService.options(directory)
                .envoy(new EnvoyOptions().grpcPort(0))
                .warmUp(Duration.ofSeconds(20)))) {
      awaitReady(service);
    } finally {
      WARM_UP_LOG.removeHandler(log);
    }
    assertThat(log.messages)
        .singleElement()
        .asString()
        .matches("ready after \\d+ requests and [1-9]\\d* calls over gRPC to itself in \\d+ ms");
  }

  @Test
  void aStoreThatDoesNotAnswerEndsIt() throws Exception {
    try (RunningService service = start("redis://127.0.0.1:" + freePort(), Duration.ofHours(1))) {
      awaitReady(service);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Test
  void stoppingEndsIt() {
    RunningService service =
        RunningService.start(RunningService.options(directory).warmUp(Duration.ofHours(1)));

    service.close();

    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("weir-warm-up")));
  }

  private static JsonObject firstLimit(RunningService service) {
    return service.http.check(ANN).json().getJsonArray("limits").getJsonObject(0);
  }

  private RunningService start(String store, Duration warmUp) {
    return RunningService.start(RunningService.options(directory).store(store).warmUp(warmUp));
  }

  private static void awaitReady(RunningService service) {
    await().atMost(PATIENCE).until(() -> service.http.get("/readyz").status() == 200);
  }

  /** Keeps what is logged. */
  private static final class RecordedLog extends Handler {
    private final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord record) {
      messages.add(record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
