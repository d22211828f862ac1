package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisTiming;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.redis.RedisMeasurements.AdmissionCount;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RedisReportTest {
  private final RedisMeasurements measured = new RedisMeasurements();

  RedisReportTest() {
    for (RedisWorkload workload : RedisWorkload.values()) {
      for (RedisContender contender : workload.contenders) {
        double speed = contender == RedisContender.WEIR ? 3_000 : 1_000;
        measured.add(workload, contender, new RedisSample(speed, 50, 90, 8, 20, 40, 1, 0));
      }
    }
    measured.setKeySizes(RedisContender.WEIR_SLIDING_LOG, new KeySizes(200, 9_000));
    RedisContender.PEERS.forEach(
        peer -> measured.setCount(peer, new AdmissionCount(3_200, 1_000, 1_000)));
  }

  @Test
  void everyTargetIsALine() {
    String report = new RedisReport(measured).render(RedisTiming.SHORT, "a server");
    for (String number : List.of("P5", "P6", "P7", "P8", "P9", "P10")) {
      assertThat(report).contains("\n| " + number + " | ");
    }
    assertThat(report)
        .contains(
            "Weir decides at least 1.80 x as often as `return 1` | 3.00 (3.00 to 3.00) | met");
  }

  @Test
  void theMemoryOfAKeyIsALine() {
    assertThat(new RedisReport(measured).render(RedisTiming.SHORT, "a server"))
        .contains("\n| Weir, sliding log | 200 | 9000 |\n");
  }

  @Test
  void everyPlotIsShown() {
    String report = new RedisReport(measured).render(RedisTiming.SHORT, "a server");
    assertThat(new RedisPlots(measured).all().keySet())
        .isNotEmpty()
        .allSatisfy(file -> assertThat(report).contains("](images/" + file + ")"));
  }
}
