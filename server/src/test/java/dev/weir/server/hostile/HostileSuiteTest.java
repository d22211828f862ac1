package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All attacks one after the other, on a service with a heap of 256 MB, while its health is watched
 * and a well-behaved client asks. Half a minute each in cleartext, gRPC included, and over TLS;
 * {@code -Dweir.hostile-minutes=10} makes it that long altogether, {@code -Dweir.jar=…/weir.jar}
 * attacks the runnable jar as users start it.
 *
 * <p>What is judged is how much slower the service answers than a {@link ControlServer} that nobody
 * attacks, asked by the same client at the same time. Attackers, service, client and perhaps other
 * builds share the processors, so every answer may wait for one; but a machine that is busy delays
 * the control as well, and an answer is excused by the slowest single answer of the control around
 * it, never by a sum. The bounds grow by the p99 of the control, which is some milliseconds unless
 * the machine is overloaded. A service that is slow by itself has no excuse. To measure waits of
 * single threads instead would add up what overlaps, and could excuse anything. Attackers rest as
 * long as a step took, so that they take at most half a processor; but not as long as one that
 * waited for its turn to be served behind the attack before it. The decisions of the well-behaved
 * client are compared in the same way, for each attack: a service that serves attackers first gives
 * it a fiftieth of what the control gives, one that is fair a thirteenth or more on a machine where
 * thirty threads want two processors.
 */
@Tag("slow")
final class HostileSuiteTest {
  private static final double MINUTES =
      Double.parseDouble(System.getProperty("weir.hostile-minutes", "1"));
  private static final long MILLIS = (long) (MINUTES * 30_000);

  /** A pattern of names, to look at some attacks alone. */
  private static final String ATTACKS = System.getProperty("weir.attacks", ".*");

  private static final long LEAST_PAUSE_NANOS = 300_000;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  /**
   * For 99 of 100 answers, on the port that is apart for this, and for half of them on that of
   * clients; the longest may meet a collection.
   */
  static final int MOST_MILLIS = 100;

  private static final int LONGEST_MILLIS = 1000;

  /** Of the decisions that the client would get from a server that nobody attacks. */
  private static final int LEAST_SHARE = 30;

  private static final int MOST_LOG_BYTES = 1 << 20;

  @TempDir Path directory;

  @Test
  void attacksInCleartextStopBlindAndFoolNobody() throws Exception {
    Path rules = RunningService.rules(directory, rules());
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (TargetProcess target = TargetProcess.start(directory, rules, Optional.empty());
        Attacks attacks = new Attacks(target.port, Long.getLong("weir.seed", 13));
        GrpcAttacks overGrpc = new GrpcAttacks(target.grpcPort, attacks.inputs)) {
      Map<String, Attacks.Step> all = new LinkedHashMap<>(attacks.all());
      all.putAll(overGrpc.all());
      watched(target, client, "http", all, attacks.inputs);
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
   * The limit for all would run out in a long run, and an hour may end during it. One rule is there
   * to fill the store, with several states per request.
   */
  private static String rules() {
    return RunningService.RULES
            .replace("1000 per hour", "1000000000 per hour")
            .replace("3 per hour", "3 per day")
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
    try (Bystanders others = new Bystanders(client, target, scheme)) {
      others.warmUp();
      long heap = 0;
      List<AttackPhase> phases = new ArrayList<>();
      attacks.keySet().removeIf(name -> !name.matches(ATTACKS));
      for (Map.Entry<String, Attacks.Step> attack : attacks.entrySet()) {
        AttackPhase phase =
            others.during(
                attack.getKey(), () -> repeat(attack.getValue(), MILLIS / attacks.size()));
        assertThat(target.end()).as(attack.getKey()).isEmpty();
        System.out.print(phase.line());
        phases.add(phase);
        heap = Math.max(heap, heap(client, scheme + "://localhost:" + target.adminPort));
      }
      System.out.print(report(others, heap, inputs));
      check(target, others, phases);
      row(scheme, inputs.intValue(), heap, others);
    }
  }

  private static String report(Bystanders others, long heap, AtomicLong inputs) {
    GoodClient good = others.good;
    return String.format("heap at most %d MiB%n", heap >> 20)
        + line("control", others.control, others.control)
        + line("health", others.health, others.control)
        + line("health, admin port", others.adminHealth, others.control)
        + String.format(
            "good client: %d exact, unanswered %s%n", good.exact(), counts(good.unanswered()))
        + String.format("inputs: %d%n", inputs.get());
  }

  private static void row(String scheme, int inputs, long heap, Bystanders others) {
    HealthWatch health = others.adminHealth;
    HealthWatch control = others.control;
    FaultReport.row(
        "68, 74, 75 all attacks over " + scheme + ", heap of 256 MB; health of the admin port",
        inputs,
        "another client: %d exact, 0 wrong, %d cut off; heap at most %d MiB; health p50 %.0f ms, p99 %.0f ms, longest %.0f ms; of a server without attackers p99 %.0f ms, longest %.0f ms"
            .formatted(
                others.good.exact(),
                others.good.unanswered().size(),
                heap >> 20,
                health.percentile(0.5),
                health.percentile(0.99),
                health.percentile(1),
                control.percentile(0.99),
                control.percentile(1)),
        Duration.ofMillis((long) health.percentile(1)));
  }

  private static void check(TargetProcess target, Bystanders others, List<AttackPhase> phases)
      throws IOException {
    assertThat(others.good.wrong()).isEmpty();
    assertThat(phases).allSatisfy(HostileSuiteTest::served);
    HealthWatch control = others.control;
    HealthWatch health = others.health;
    HealthWatch adminHealth = others.adminHealth;
    assertThat(adminHealth.failures()).isEmpty();
    assertThat(health.failures().size()).isLessThanOrEqualTo(2 + health.asked() / 50);
    double slow = control.percentile(0.99);
    assertThat(adminHealth.percentileBeyond(control, 0.99)).isLessThan(MOST_MILLIS + slow);
    assertThat(adminHealth.percentileBeyond(control, 1)).isLessThan(LONGEST_MILLIS + slow);
    assertThat(health.percentileBeyond(control, 0.5)).isLessThan(MOST_MILLIS + slow);
    assertThat(target.log()).doesNotContain("OutOfMemory");
    assertThat(target.log().length()).isLessThan(MOST_LOG_BYTES);
  }

  /** A client that is served keeps its connection, and has its share of the processors. */
  private static void served(AttackPhase phase) {
    assertThat(phase.cutOff()).as(phase.line()).isLessThanOrEqualTo(2 + phase.exact() / 100);
    assertThat(phase.shed()).as(phase.line()).isLessThanOrEqualTo(2 + phase.exact() / 20);
    assertThat(phase.exact()).as(phase.line()).isGreaterThan(phase.control() / LEAST_SHARE);
  }

  /** What an attack meets are answers, closed connections and resets; none of them ends it. */
  private static void repeat(Attacks.Step step, long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {
      long start = System.nanoTime();
      try {
        step.run();
      } catch (IOException refused) {
        // as it should be
      }
      long took = System.nanoTime() - start;
      LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, Math.max(LEAST_PAUSE_NANOS, took)));
    }
  }

  private static long heap(HttpClient client, String admin) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(admin + "/metrics"))
            .timeout(Duration.ofSeconds(30))
            .build();
    return client
        .send(request, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static Map<String, Long> counts(List<String> reasons) {
    return reasons.stream()
        .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
  }

  private static String line(String name, HealthWatch watch, HealthWatch control) {
    return String.format(
        "%s: asked %d, failed %s, p50 %.1f ms, p99 %.1f ms, longest %.1f ms;"
            + " beyond the control p99 %.1f ms, longest %.1f ms%n",
        name,
        watch.asked(),
        counts(watch.failures()),
        watch.percentile(0.5),
        watch.percentile(0.99),
        watch.percentile(1),
        watch.percentileBeyond(control, 0.99),
        watch.percentileBeyond(control, 1));
  }
}
