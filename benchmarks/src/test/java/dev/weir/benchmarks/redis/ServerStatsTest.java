package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.redis.MeasurementRun.ServerStats;
import org.junit.jupiter.api.Test;

final class ServerStatsTest {
  private static final String INFO =
      """
      # Commandstats
      cmdstat_evalsha:calls=10,usec=120,usec_per_call=12.00,rejected_calls=0,failed_calls=0
      cmdstat_get:calls=10,usec=15,usec_per_call=1.50,rejected_calls=0,failed_calls=0
      # CPU
      used_cpu_sys:0.500000
      used_cpu_user:1.250000
      used_cpu_sys_children:9.000000
      used_cpu_user_children:9.000000
      used_cpu_sys_main_thread:0.400000
      """;

  @Test
  void commandsInsideScriptsAndTimeOfChildrenAreNotCountedTwice() {
    assertThat(ServerStats.parse(INFO)).isEqualTo(new ServerStats(10, 120, 1_750_000));
  }

  @Test
  void aServerThatRanNoScriptHasNone() {
    assertThat(ServerStats.parse("").scriptCalls()).isZero();
  }

  @Test
  void differencesAreTakenOfEverything() {
    ServerStats later = new ServerStats(12, 150, 90);
    assertThat(later.since(new ServerStats(2, 50, 30))).isEqualTo(new ServerStats(10, 100, 60));
  }
}
