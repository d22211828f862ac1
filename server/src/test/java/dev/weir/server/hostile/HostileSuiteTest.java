package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.RunningService;
import dev.weir.server.TestCertificate;
import dev.weir.testkit.FaultReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All attacks one after the other, on a service with a heap of 256 MB, while its health is watched
 * and a well-behaved client asks. Half a minute each in cleartext and over TLS; {@code
 * -Dweir.hostile-minutes=10} makes it that long altogether, {@code -Dweir.jar=…/weir.jar} attacks
 * the runnable jar as users start it.
 */
@Tag("slow")
final class HostileSuiteTest {
  private static final double MINUTES =
      Double.parseDouble(System.getProperty("weir.hostile-minutes", "1"));
  private static final long MILLIS = (long) (MINUTES * 30_000);

  /**
   * Leaves some of the processors to the service: an attacker would not sit on the same machine.
   */
  private static final long PAUSE_NANOS = 300_000;

  private static final int MOST_HEALTH_MILLIS = 100;
  private static final int MOST_LOG_BYTES = 1 << 20;

  @TempDir Path directory;

  @Test
  void attacksInCleartextStopBlindAndFoolNobody() throws Exception {
    Path rules = RunningService.rules(directory, rules());
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (TargetProcess target = TargetProcess.start(directory, rules, Optional.empty());
        Attacks attacks = new Attacks(target.port, Long.getLong("weir.seed", 13))) {
      watched(target, client, "http", attacks.all(), attacks.inputs);
    }
  }

  @Test
  void attacksOverTlsStopBlindAndFoolNobody() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    Path rules = RunningService.rules(directory, rules());
    HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    try (TargetProcess target =
            TargetProcess.start(directory, rules, Optional.of(certificate.files));
        TlsAttacks attacks = new TlsAttacks(certificate.trusting(), target.port)) {
      watched(target, client, "https", attacks.all(), attacks.inputs);
    }
  }

  /**
   * The limit for all would run out in a long run. One rule is there to fill the store, with
   * several states per request.
   */
  private static String rules() {
    return RunningService.RULES.replace("1000 per hour", "1000000000 per hour")
        + """
          - name: flooded
            when: {path: /flooded}
            limits:
              - {name: bucket, key: user, limit: 5 per day}
              - {name: window, key: user, limit: 5 per day, algorithm: sliding-window}
              - {name: log, key: user, limit: 5 per day, algorithm: sliding-log}
        """;
  }

  private static void watched(
      TargetProcess target,
      HttpClient client,
      String scheme,
      Map<String, Attacks.Step> attacks,
      AtomicLong inputs)
      throws Exception {
    String url = scheme + "://localhost:" + target.port;
    String admin = scheme + "://localhost:" + target.adminPort;
    StringBuilder report = new StringBuilder();
    long pid = target.process.pid();
    try (StallProbe stalls = new StallProbe();
        HealthWatch health = new HealthWatch(client, url, pid, stalls);
        HealthWatch adminHealth = new HealthWatch(client, admin, pid, stalls);
        GoodClient good = new GoodClient(client, url, scheme)) {
      await().atMost(Duration.ofSeconds(60)).until(() -> good.exact() >= 40); // warm
      health.restart();
      adminHealth.restart();
      long heap = 0;
      for (Map.Entry<String, Attacks.Step> attack : attacks.entrySet()) {
        int before = good.exact();
        repeat(attack.getValue(), MILLIS / attacks.size());
        heap = Math.max(heap, heap(client, admin));
        report.append(
            String.format("%s: %d exact decisions%n", attack.getKey(), good.exact() - before));
        assertThat(target.process.isAlive()).as(attack.getKey()).isTrue();
      }
      report.append(String.format("heap at most %d MiB%n", heap >> 20));
      report.append(line("health", health)).append(line("health, admin port", adminHealth));
      report.append(
          String.format("good client: %d exact, %d unanswered%n", good.exact(), good.unanswered()));
      report.append("inputs: " + inputs + "\n");
      System.out.print(report);
      check(target, health, adminHealth, good);
      row(scheme, inputs.intValue(), heap, adminHealth, good);
    }
  }

  private static void row(
      String scheme, int inputs, long heap, HealthWatch health, GoodClient good) {
    FaultReport.row(
        "68, 74, 75 all attacks over " + scheme + ", heap of 256 MB; health of the admin port",
        inputs,
        "another client: %d exact, 0 wrong, %d cut off; heap at most %d MiB; health p50 %.0f ms, longest %.0f ms without the wait for a processor"
            .formatted(
                good.exact(),
                good.unanswered(),
                heap >> 20,
                health.percentile(0.5),
                Math.max(0, health.unexplained(1))),
        Duration.ofMillis((long) health.percentile(1)));
  }

  private static void check(
      TargetProcess target, HealthWatch health, HealthWatch adminHealth, GoodClient good)
      throws IOException {
    assertThat(good.wrong()).isEmpty();
    assertThat(good.unanswered()).isLessThanOrEqualTo(2 + good.exact() / 100);
    assertThat(adminHealth.failures()).isEmpty();
    assertThat(health.failures().size()).isLessThanOrEqualTo(2 + health.asked() / 50);
    // Attackers, service and perhaps other builds share the machine: waiting for it is no fault.
    assertThat(health.percentile(0.5)).isLessThan(1000 + health.stall(0.99));
    assertThat(adminHealth.unexplained(1)).isLessThanOrEqualTo(MOST_HEALTH_MILLIS);
    assertThat(target.log()).doesNotContain("OutOfMemory");
    assertThat(target.log().length()).isLessThan(MOST_LOG_BYTES);
  }

  /** What an attack meets are answers, closed connections and resets; none of them ends it. */
  private static void repeat(Attacks.Step step, long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {
      try {
        step.run();
      } catch (IOException refused) {
        continue;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static long heap(HttpClient client, String admin) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(admin + "/metrics")).build();
    return client
        .send(request, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static String line(String name, HealthWatch watch) {
    return String.format(
        "%s: asked %d, failed %d, p50 %.1f ms, p99 %.1f ms, longest %.1f ms,"
            + " without waiting for a processor %.1f ms (longest stall of the machine %.1f ms)%n",
        name,
        watch.asked(),
        watch.failures().size(),
        watch.percentile(0.5),
        watch.percentile(0.99),
        watch.percentile(1),
        watch.unexplained(1),
        watch.stall(1));
  }
}
