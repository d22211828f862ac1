package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Limit;
import dev.weir.spi.Verdict;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FAULTS 16 to 18: a server whose clock is set, or is not ours. */
@Tag("external")
@Timeout(120)
final class ServerClockTest {
  private static final Path LIBRARY =
      Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path folder;
  private Path clock;
  private long offsetSeconds;
  private RedisProcess redis;
  private RedisStore store;

  @BeforeEach
  void open() throws IOException {
    Optional<Path> library = Optional.of(LIBRARY).filter(Files::exists);
    ExternalPrograms.require(library, "libfaketime");
    clock = folder.resolve("clock");
    offsetSeconds = toFivePast(Instant.now().getEpochSecond());
    Files.writeString(clock, "+" + offsetSeconds);
    redis =
        RedisProcess.startWith(
            Map.of(
                "LD_PRELOAD",
                LIBRARY.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                clock.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1"));
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  /** So that no window ends while a test counts what one of them admits. */
  private static long toFivePast(long nowSeconds) {
    return HOUR.toSeconds() - nowSeconds % HOUR.toSeconds() + 5 * MINUTE.toSeconds() + 5;
  }

  @AfterEach
  void close() {
    if (redis != null) {
      store.close();
      redis.close();
    }
  }

  /** Windows far shorter than the step, about as long, and longer. */
  static Stream<Limit> limits() {
    return Stream.of(MINUTE, Duration.ofMinutes(50), Duration.ofHours(3))
        .flatMap(
            period ->
                Stream.concat(
                    Asking.limits(5, period)
                        .filter(limit -> !Asking.nameOf(limit).equals("Calendar")),
                    Stream.of(Limit.fixedWindow(5, CalendarUnit.DAY, ZoneOffset.UTC))))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aClockSetBackAdmitsNothingExtraAndLocksNobodyOutForMoreThanTwoWindows(Limit limit) {
    Asking asking = Asking.about(store, limit);
    assertThat(admittedOf(asking, "key", 10)).isEqualTo(5);
    assertThat(asking.take("half", 3).fits()).isTrue();
    step(HOUR.negated());
    Verdict denied = asking.take("key", 1);
    assertThat(denied.fits()).isFalse();
    assertThat(admittedOf(asking, "half", 10)).isEqualTo(2);
    assertThat(asking.take("half", 1).fits()).isFalse();
    assertThat(micros(denied.retryAfterMicros()))
        .isLessThanOrEqualTo(limit.period().multipliedBy(2));
    assertThat(micros(denied.resetAfterMicros()))
        .isLessThanOrEqualTo(limit.period().multipliedBy(2));
    step(limit.period().multipliedBy(2));
    assertThat(admittedOf(asking, "key", 10)).isEqualTo(5);
    FaultReport.row(
        "16 server clock back 1 h (" + Asking.nameOf(limit) + " per " + limit.period() + ")",
        1,
        "nothing extra; free after "
            + micros(denied.retryAfterMicros()).toSeconds()
            + " s, bound "
            + 2 * limit.period().toSeconds()
            + " s",
        asking.longest());
  }

  /** Between a start of a window and 50 minutes before it lie both sides of the worst case. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 49, 51, 90})
  void thePreviousWindowCountsInFullAfterAStepBack(int minutesBack) {
    Limit limit = Limit.slidingWindow(5, Duration.ofMinutes(50));
    Asking asking = Asking.about(store, limit);
    long window = limit.period().toSeconds();
    step(Duration.ofSeconds(2 * window - serverSeconds() % window - 20)); // near the end of one
    assertThat(admittedOf(asking, "key", 10)).isEqualTo(5);
    step(Duration.ofSeconds(25)); // just inside the next
    asking.charge("key", 1); // now the record has both windows
    step(Duration.ofMinutes(-minutesBack));
    Verdict peeked = asking.peek("key", 5);
    Verdict denied = asking.take("key", 5);
    assertThat(peeked.remaining()).isEqualTo(denied.remaining());
    assertThat(admittedOf(asking, "key", 10)).isZero();
    assertThat(micros(denied.retryAfterMicros()))
        .isLessThanOrEqualTo(limit.period().multipliedBy(2));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void whoWaitsAsToldAfterAStepBackIsAdmitted(Limit limit) {
    Asking asking = Asking.about(store, limit);
    admittedOf(asking, "key", 10);
    step(HOUR.negated());
    Duration wait = micros(asking.take("key", 1).retryAfterMicros());
    Duration peeked = micros(asking.peek("key", 1).retryAfterMicros());
    assertThat(peeked).isLessThanOrEqualTo(wait);
    step(Duration.ofSeconds(wait.toSeconds() + 1));
    assertThat(asking.take("key", 1).fits()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aClockSetForwardGivesAtMostOneCapacityMore(Limit limit) {
    Asking asking = Asking.about(store, limit);
    int admitted = admittedOf(asking, "key", 10);
    step(HOUR);
    admitted += admittedOf(asking, "key", 10);
    assertThat(admitted).isBetween(5, 10);
    step(HOUR.negated());
    assertThat(admittedOf(asking, "key", 10)).isZero();
    FaultReport.row(
        "17 server clock forward 1 h, then back (" + Asking.nameOf(limit) + ")",
        1,
        admitted + " admitted; bound 10",
        asking.longest());
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aClientWhoseClockIsNotTheServersDecidesTheSame(Limit limit) {
    step(HOUR.multipliedBy(50)); // to the server, this client is two days late
    Asking asking = Asking.about(store, limit);
    assertThat(admittedOf(asking, "key", 10)).isEqualTo(5);
    Verdict denied = asking.take("key", 1);
    assertThat(micros(denied.retryAfterMicros()))
        .isPositive()
        .isLessThanOrEqualTo(limit.period().multipliedBy(2));
    FaultReport.row(
        "18 client clock 50 h late (" + Asking.nameOf(limit) + ")",
        10,
        "5 admitted; bound 5",
        asking.longest());
  }

  /** Sets the server's clock, and goes on when the server shows it. */
  private void step(Duration by) {
    long before = serverSeconds();
    offsetSeconds += by.toSeconds();
    try {
      Path next = folder.resolve("next");
      Files.writeString(next, String.format("%+d", offsetSeconds));
      Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> Math.abs(serverSeconds() - before - by.toSeconds()) < 5);
  }

  private long serverSeconds() {
    String seconds = redis.command("EVAL", "return tonumber(redis.call('TIME')[1])", "0");
    return Long.parseLong(seconds.substring(1));
  }

  private static int admittedOf(Asking asking, String key, int attempts) {
    int admitted = 0;
    for (int i = 0; i < attempts; i++) {
      admitted += asking.take(key, 1).fits() ? 1 : 0;
    }
    return admitted;
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1000);
  }
}
