package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Receipt.Grant;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a receipt names, and how grants and claims of one state are merged. */
@Timeout(60)
final class ReceiptTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Policy POLICY = Policy.of("rule", "limit", Limit.fixedWindow(5, SECOND));

  private final ManualTime time = new ManualTime();

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(5, SECOND),
        Limit.fixedWindow(5, SECOND),
        Limit.fixedWindow(5, SECOND).fromFirstUse(),
        Limit.slidingWindow(5, SECOND),
        Limit.slidingLog(5, SECOND));
  }

  /** A thread reads the clock, stalls, and takes when others have moved on to the next window. */
  @ParameterizedTest
  @MethodSource("limits")
  void aReceiptNamesTheWindowItWasCountedIn(Limit limit) {
    StallingTime stalling = new StallingTime();
    time.advanceMicros(999_999);
    try (MemoryStore store = MemoryStore.builder().time(stalling).build()) {
      RateLimiter limiter =
          RateLimiter.builder().name("limiter").limit("limit", limit).store(store).build();
      limiter.decide("key");
      stalling.then(
          () -> {
            time.advanceMicros(1_100_000);
            limiter.decide("key");
          });
      Decision late = limiter.decide("key");
      assertThat(late.allowed()).isTrue();
      long before = limiter.peek("key").remaining();
      limiter.refund(late);
      assertThat(limiter.peek("key").remaining()).isEqualTo(before + 1);
    }
  }

  /** Runs something between the reading of the clock and what is done with it. */
  private final class StallingTime implements TimeSource {
    private Runnable meanwhile = () -> {};

    void then(Runnable other) {
      meanwhile = other;
    }

    @Override
    public long nowMicros() {
      long now = time.nowMicros();
      Runnable once = meanwhile;
      meanwhile = () -> {};
      once.run();
      return now;
    }

    @Override
    public CompletionStage<Void> after(Duration wait) {
      return time.after(wait);
    }
  }

  @Test
  void grantsOfOneStateAndTimeAreMerged() {
    Grant one = new Grant(new Claim(POLICY, "key", 1), OptionalLong.of(7));
    Grant two = new Grant(new Claim(POLICY, "key", 2), OptionalLong.of(7));
    Grant later = new Grant(new Claim(POLICY, "key", 4), OptionalLong.of(8));
    assertThat(new Receipt(List.of(one, later, two)).grants())
        .containsExactly(new Grant(new Claim(POLICY, "key", 3), OptionalLong.of(7)), later);
  }

  @Test
  void aQuestionOfMoreThanAThousandClaimsIsRefused() {
    List<Claim> claims =
        IntStream.range(0, 1001).mapToObj(i -> Claim.of(POLICY, "key-" + i)).toList();
    assertThatThrownBy(() -> new Question(Operation.ACQUIRE, claims))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("claims must be at most 1000 in one question, was 1001");
    assertThat(new Question(Operation.ACQUIRE, claims.subList(0, 1000)).claims()).hasSize(1000);
  }
}
