package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.redis.RedisMeasurements.AdmissionCount;
import org.junit.jupiter.api.Test;

final class AdmissionCountTest {
  @Test
  void theVerdictNamesHowManyAreTooManyOrTooFew() {
    assertThat(new AdmissionCount(3_200, 1_000, 1_000).verdict()).isEqualTo("exact");
    assertThat(new AdmissionCount(3_200, 1_001, 1_002).verdict()).isEqualTo("exact");
    assertThat(new AdmissionCount(3_200, 1_007, 1_000).verdict()).isEqualTo("7 too many");
    assertThat(new AdmissionCount(3_200, 990, 1_000).verdict()).isEqualTo("10 too few");
  }
}
