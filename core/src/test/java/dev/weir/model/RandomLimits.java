package dev.weir.model;

import dev.weir.CalendarUnit;
import dev.weir.Limit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;

/** Limits of every kind: small, odd, and as large as they may be. */
enum RandomLimits {
  TOKEN_BUCKET {
    @Override
    Limit next(Random random) {
      if (random.nextInt(3) == 0) {
        return pick(random, HUGE_BUCKETS);
      }
      Limit.TokenBucket bucket = Limit.tokenBucket(permits(random), period(random));
      return random.nextBoolean() ? bucket : bucket.withBurst(1 + random.nextInt(50));
    }
  },
  FIXED_WINDOW {
    @Override
    Limit next(Random random) {
      return Limit.fixedWindow(permits(random), period(random));
    }
  },
  FIRST_USE_WINDOW {
    @Override
    Limit next(Random random) {
      return Limit.fixedWindow(permits(random), period(random)).fromFirstUse();
    }
  },
  CALENDAR_WINDOW {
    @Override
    Limit next(Random random) {
      CalendarUnit unit = pick(random, List.of(CalendarUnit.values()));
      return Limit.fixedWindow(permits(random), unit, ZoneId.of(pick(random, ZONES)));
    }
  },
  SLIDING_WINDOW {
    @Override
    Limit next(Random random) {
      return Limit.slidingWindow(permits(random), period(random));
    }
  },
  SLIDING_LOG {
    @Override
    Limit next(Random random) {
      return Limit.slidingLog(permits(random), period(random));
    }
  };

  private static final long MOST = (1L << 53) - 1;

  private static final List<Limit> HUGE_BUCKETS =
      List.of(
          Limit.tokenBucket(10_007, Duration.ofDays(30)),
          Limit.tokenBucket(9_999_991, Duration.ofDays(30)),
          Limit.tokenBucket(1_000_000_000, Duration.ofSeconds(1)),
          Limit.tokenBucket(1, Duration.ofDays(365)).withBurst(100),
          Limit.tokenBucket(MOST, Duration.ofDays(400)),
          Limit.tokenBucket(MOST, Duration.ofDays(400)).withBurst(1),
          Limit.tokenBucket(MOST - 4, Duration.ofNanos(7_000)),
          Limit.tokenBucket(1, Duration.ofNanos(1_000)).withBurst(3_000_000_000_000_000L),
          Limit.tokenBucket(999_983, Duration.ofDays(400)).withBurst(91_000_000));

  private static final List<Long> PERMITS = List.of(1_000_000L, 9_999_991L, 1_000_000_000L, MOST);

  private static final List<Duration> PERIODS =
      List.of(
          Duration.ofNanos(1_000),
          Duration.ofNanos(7_000),
          Duration.ofMillis(250),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          Duration.ofNanos(999_983_000),
          Duration.ofDays(1),
          Duration.ofDays(30),
          Duration.ofDays(400));

  /** Clocks change at midnight in Havana and Beirut, and Apia has left out a day. */
  private static final List<String> ZONES =
      List.of("UTC", "Europe/Berlin", "America/Havana", "Asia/Beirut", "Pacific/Apia", "+05:45");

  abstract Limit next(Random random);

  private static long permits(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(3);
      case 1 -> 1 + random.nextInt(20);
      case 2 -> 1 + random.nextInt(1_000);
      default -> pick(random, PERMITS);
    };
  }

  private static Duration period(Random random) {
    return random.nextBoolean()
        ? pick(random, PERIODS)
        : Duration.ofNanos(1_000L * (1 + random.nextInt(10_000)));
  }

  private static <T> T pick(Random random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
