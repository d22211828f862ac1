package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.testkit.FaultReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that are made up, over the memory store: too many of them, or too long ones. */
final class KeyFloodTest {
  private static final int LONG_KEYS = 10_000;
  private static final int LOGGED_USERS = 12_000;
  private static final int LOGS_PER_USER = 40;
  private static final int BYTES_OF_A_LOG = 280;
  private static final long MIB = 1 << 20;
  private static final int MAX_KEYS = 2000;
  private static final int FLOOD = 6000;
  private static final int QUIET_USERS = 50;
  private static final String RULES =
      """
      rules:
        - name: flooded
          when: {path: /once}
          limits:
            - {name: once, key: user, limit: 1 per hour, algorithm: fixed-window}
          on-store-failure: deny
        - name: quiet
          when: {path: /quiet}
          limits:
            - {name: per-user, key: user, limit: 3 per hour, algorithm: fixed-window}
      """;

  @TempDir Path directory;

  @Test
  @Tag("slow")
  void longKeysDoNotFillASmallHeap() throws Exception {
    Path rules = RunningService.rules(directory, RULES);
    try (TargetProcess target = TargetProcess.start(directory, rules, Optional.empty())) {
      Http http = new Http(target.port);
      long longest = 0;
      for (int i = 0; i < LONG_KEYS; i++) {
        long start = System.nanoTime();
        assertThat(ask(http, "/quiet", longKey(i))).isEqualTo(200);
        longest = Math.max(longest, System.nanoTime() - start);
      }
      assertThat(http.check(Map.of("path", "/quiet", "user", longKey(0)), 2).status())
          .isEqualTo(200);
      assertThat(ask(http, "/quiet", longKey(0))).as("still counted").isEqualTo(429);
      assertThat(http.get("/healthz").json().getString("status")).isEqualTo("up");
      FaultReport.row(
          "67 distinct keys of 7 to 60 kB, heap of 256 MB",
          LONG_KEYS,
          "all counted by their digests, the first one to the end; health up",
          Duration.ofNanos(longest));
    }
  }

  /** Each request of a new user makes forty logs, so that few requests make more than fit. */
  @Test
  @Tag("slow")
  void logsDoNotFillASmallHeap() throws Exception {
    StringBuilder yaml = new StringBuilder(RULES + "  - name: logged\n    limits:\n");
    for (int i = 0; i < LOGS_PER_USER; i++) {
      yaml.append("      - {name: log-%d, key: user, limit: 5 per day".formatted(i))
          .append(", algorithm: sliding-log}\n");
    }
    Path rules = RunningService.rules(directory, yaml.toString());
    try (TargetProcess target = TargetProcess.start(directory, rules, Optional.empty())) {
      Http http = new Http(target.port);
      for (int i = 0; i < LOGGED_USERS; i++) {
        assertThat(ask(http, "/logged", "u" + i)).isEqualTo(200);
      }
      assertThat(http.get("/healthz").json().getJsonArray("reasons").encode())
          .contains("the memory store is full");
      assertThat(keys(new Http(target.adminPort)))
          .isLessThan((long) TargetProcess.HEAP_MIB * MIB / 2 / BYTES_OF_A_LOG);
      FaultReport.row(
          "67 sliding logs of made-up keys, heap of 256 MB",
          LOGGED_USERS * LOGS_PER_USER,
          "all answered; those that do not fit make room; health degraded with the reason");
    }
  }

  private static long keys(Http admin) {
    return admin
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("weir_memory_keys "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static String longKey(int i) {
    return i + "k".repeat(7_000 + i * 53_000 / LONG_KEYS);
  }

  @Test
  void aFloodOfOneRuleLeavesTheKeysOfAnotherAndIsTold() {
    ServerOptions options =
        RunningService.options(directory)
            .maxKeys(MAX_KEYS)
            .config(List.of(RunningService.rules(directory, RULES)));
    try (RunningService service = RunningService.start(options)) {
      for (int i = 0; i < QUIET_USERS; i++) {
        Map<String, String> quiet = Map.of("path", "/quiet", "user", "u" + i);
        assertThat(service.http.check(quiet, 2).status()).isEqualTo(200);
      }
      long refused = 0;
      for (int i = 0; i < FLOOD; i++) {
        refused += ask(service.http, "/once", "f" + i) == 503 ? 1 : 0;
      }
      for (int i = 0; i < QUIET_USERS; i++) {
        assertThat(ask(service.http, "/quiet", "u" + i)).isEqualTo(200);
        assertThat(ask(service.http, "/quiet", "u" + i)).isEqualTo(429);
      }
      assertThat(refused).isPositive();
      assertThat(service.http.get("/healthz").json().getJsonArray("reasons").encode())
          .contains("the memory store is full");
      assertThat(service.http.get("/metrics").body()).contains("weir_health_degraded 1.0");
      FaultReport.row(
          "71 keys of one rule, exhausted, in memory for " + MAX_KEYS,
          FLOOD,
          refused
              + " answered by policy; all "
              + QUIET_USERS
              + " keys of another rule exact; health degraded with the reason");
    }
  }

  private static int ask(Http http, String path, String user) {
    return http.check(Map.of("path", path, "user", user)).status();
  }
}
