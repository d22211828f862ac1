package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecisionJsonTest {
  private final Policy minute =
      Policy.of("login", "minute", Limit.slidingWindow(10, Duration.ofMinutes(1)));
  private final Decision denied =
      Answered.with()
          .denied(minute, 0, Duration.ofNanos(999_001_000), Duration.ofMinutes(1))
          .decision();

  @Test
  void aDenialShowsItsWaitInMillisecondsRoundedUp() {
    assertThat(json(denied))
        .isEqualTo(
            "{\"allowed\":false,\"source\":\"store\",\"retryAfterMillis\":1000,\"limits\":["
                + "{\"rule\":\"login\",\"name\":\"minute\",\"mode\":\"enforce\",\"allowed\":false,"
                + "\"limit\":10,\"capacity\":10,\"remaining\":0,"
                + "\"retryAfterMillis\":1000,\"resetAfterMillis\":60000}]}");
  }

  @Test
  void aBudgetShowsWhetherItWarnsAndTheFirstWarning() {
    Policy budget =
        Policy.of("model", "budget", Limit.fixedWindow(10, Duration.ofDays(1)).warnAt(80));
    try (RateLimiter limiter = RateLimiter.builder().policy(budget).build()) {
      assertThat(json(limiter.decide("key", 7))).endsWith(",\"warning\":false}]}");
      assertThat(json(limiter.decide("key", 1)))
          .endsWith(",\"warning\":true,\"firstWarning\":true}]}");
      assertThat(json(limiter.decide("key", 1))).endsWith(",\"warning\":true}]}");
    }
  }

  @Test
  void aRequestForMoreThanItsShareIsToldWhatItCanHave() {
    Policy tokens =
        Policy.of("model", "tokens", Limit.tokenBucket(1000, Duration.ofMinutes(1)))
            .reserveAtMost(50);
    try (RateLimiter limiter = RateLimiter.builder().policy(tokens).build()) {
      StringBuilder out = new StringBuilder();
      DecisionJson.writeDenial(limiter.decide("key", 600), out);
      assertThat(out)
          .contains(",\"detail\":\"one request can take at most 500 permits of tokens, was 600\",")
          .contains("\"retryAfterMillis\":null")
          .contains("\"remaining\":1000,")
          .endsWith(",\"atMost\":500}]}");
    }
  }

  @Test
  void aShadowLimitShowsWhatItWouldHaveSaid() {
    Limit bucket = Limit.tokenBucket(10, Duration.ofSeconds(1)).withBurst(50);
    Policy shadow = Policy.of("api", "all", bucket).withMode(Mode.SHADOW);
    Decision decision =
        Answered.with()
            .denied(shadow, 0, Duration.ofMillis(100), Duration.ofSeconds(5))
            .fits(minute, 9, Duration.ofSeconds(6))
            .decision();

    assertThat(json(decision))
        .isEqualTo(
            "{\"allowed\":true,\"source\":\"store\",\"retryAfterMillis\":0,\"limits\":["
                + "{\"rule\":\"api\",\"name\":\"all\",\"mode\":\"shadow\",\"allowed\":false,"
                + "\"limit\":10,\"capacity\":50,\"remaining\":0,"
                + "\"retryAfterMillis\":100,\"resetAfterMillis\":5000},"
                + "{\"rule\":\"login\",\"name\":\"minute\",\"mode\":\"enforce\",\"allowed\":true,"
                + "\"limit\":10,\"capacity\":10,\"remaining\":9,"
                + "\"retryAfterMillis\":0,\"resetAfterMillis\":6000}]}");
  }

  @Test
  void whatCanNeverPassHasANullWait() {
    Decision decision =
        Answered.with().denied(minute, 10, Decision.NEVER, Duration.ZERO).decision();

    assertThat(json(decision))
        .isEqualTo(
            "{\"allowed\":false,\"source\":\"store\",\"retryAfterMillis\":null,\"limits\":["
                + "{\"rule\":\"login\",\"name\":\"minute\",\"mode\":\"enforce\",\"allowed\":false,"
                + "\"limit\":10,\"capacity\":10,\"remaining\":10,"
                + "\"retryAfterMillis\":null,\"resetAfterMillis\":0}]}");
  }

  @Test
  void aFailurePolicyIsNamedAsTheSource() {
    Decision decision =
        Answered.with().failed(minute.onStoreFailure(FailurePolicy.DENY)).decision();

    assertThat(json(decision))
        .isEqualTo(
            "{\"allowed\":false,\"source\":\"fallback\",\"retryAfterMillis\":1000,\"limits\":["
                + "{\"rule\":\"login\",\"name\":\"minute\",\"mode\":\"enforce\",\"allowed\":false,"
                + "\"limit\":10,\"capacity\":10,\"remaining\":null,"
                + "\"retryAfterMillis\":1000,\"resetAfterMillis\":null}]}");
  }

  @Test
  void aDenialOpensWithItsProblem() {
    StringBuilder out = new StringBuilder();
    DecisionJson.writeDenial(denied, out);

    assertThat(out)
        .hasToString(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota Exceeded\",\"status\":429,"
                + "\"violated-policies\":[\"minute\"],"
                + json(denied).substring(1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1500250, 1500.25",
    "1500001, 1500.001",
    "2000000, 2000",
    "1779537600123456, 1779537600123.456",
    "-1, -0.001"
  })
  void theTimeInFrontIsMillisecondsWithTheirFraction(long atMicros, String atMillis) {
    StringBuilder out = new StringBuilder();
    DecisionJson.writeAt(atMicros, denied, out);

    assertThat(out).hasToString("{\"at\":" + atMillis + "," + json(denied).substring(1));
  }

  private static String json(Decision decision) {
    StringBuilder out = new StringBuilder();
    DecisionJson.write(decision, out);
    return out.toString();
  }
}
