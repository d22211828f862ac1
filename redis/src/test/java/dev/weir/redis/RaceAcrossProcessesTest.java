package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight processes, one key, 10^5 attempts on the server's clock: exactly the limit is admitted. */
@Tag("slow")
@Timeout(300)
final class RaceAcrossProcessesTest {
  private static final int PROCESSES = 8;
  private static final int ATTEMPTS = 100_000;
  private static final long PERMITS = 1000;

  private static RedisProcess redis;

  @BeforeAll
  static void start() {
    redis = RedisProcess.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TOKEN_BUCKET",
        "Aligned",
        "FromFirstUse",
        "Calendar",
        "SLIDING_WINDOW",
        "SLIDING_LOG"
      })
  void processesTogetherGetExactlyTheLimit(String limit) throws IOException {
    redis.command("FLUSHALL");
    race(redis.uri(), limit, "race of 8 processes (" + limit + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TOKEN_BUCKET", "SLIDING_LOG"})
  void processesTogetherGetExactlyTheLimitOfACluster(String limit) throws IOException {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      race(cluster.uri(), limit, "race of 8 processes over a Cluster (" + limit + ")");
    }
  }

  private static void race(String uri, String limit, String name) throws IOException {
    List<Process> racers = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        racers.add(launch(uri, limit));
      }
      List<BufferedReader> says = racers.stream().map(Process::inputReader).toList();
      for (BufferedReader each : says) {
        assertThat(each.readLine()).isEqualTo("ready");
      }
      for (Process racer : racers) {
        racer.getOutputStream().write('\n');
        racer.getOutputStream().flush();
      }
      long start = System.nanoTime();
      long admitted = 0;
      for (BufferedReader each : says) {
        admitted += Long.parseLong(each.readLine());
      }
      long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
      assertThat(admitted).isEqualTo(PERMITS);
      FaultReport.row(
          name, ATTEMPTS, admitted + " admitted; bound " + PERMITS + "; took " + millis + " ms");
    } finally {
      racers.forEach(Process::destroyForcibly);
    }
  }

  private static Process launch(String uri, String limit) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            RaceClient.class.getName(),
            uri,
            limit,
            String.valueOf(PERMITS),
            String.valueOf(ATTEMPTS / PROCESSES))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
