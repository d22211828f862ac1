package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProblemTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Policy minute =
      Policy.of("login", "minute", Limit.slidingWindow(10, Duration.ofMinutes(1)));
  private final Policy hour = Policy.of("login", "hour", Limit.slidingLog(90, Duration.ofHours(1)));

  @Test
  void aUsedUpLimitIsQuotaExceeded() {
    Decision decision =
        Answered.with()
            .fits(hour, 3, SECOND)
            .denied(minute, 0, SECOND, SECOND)
            .denied(minute, 0, SECOND, SECOND)
            .denied(hour.withMode(Mode.SHADOW), 0, SECOND, SECOND)
            .decision();

    assertThat(Problem.of(decision).status()).isEqualTo(429);
    assertThat(Problem.of(decision).toJson())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota Exceeded\",\"status\":429,"
                + "\"violated-policies\":[\"minute\"]}");
  }

  @Test
  void aFailedStoreThatDeniesIsReducedCapacity() {
    Decision decision =
        Answered.with()
            .fits(hour, 3, SECOND)
            .failed(minute.onStoreFailure(FailurePolicy.DENY))
            .decision();

    assertThat(Problem.of(decision).status()).isEqualTo(503);
    assertThat(Problem.of(decision).toJson())
        .isEqualTo(
            "{\"type\":"
                + "\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
                + "\"title\":\"Temporary Reduced Capacity\",\"status\":503,"
                + "\"violated-policies\":[\"minute\"]}");
  }

  @Test
  void aUsedUpLimitCountsForMoreThanAFailedStore() {
    Decision decision =
        Answered.with()
            .failed(minute.onStoreFailure(FailurePolicy.DENY))
            .denied(hour, 0, SECOND, SECOND)
            .decision();

    assertThat(Problem.of(decision).toJson())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota Exceeded\",\"status\":429,"
                + "\"violated-policies\":[\"hour\"]}");
  }

  @Test
  void anAllowedRequestIsNoProblem() {
    Decision decision = Answered.with().fits(minute, 9, SECOND).decision();

    assertThatThrownBy(() -> Problem.of(decision))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("decision must be a denial, was allowed [login/minute allowed, remaining 9]");
  }
}
