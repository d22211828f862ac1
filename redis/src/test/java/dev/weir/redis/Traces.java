package dev.weir.redis;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.RequestId;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * Random questions about limits of which two versions take turns, and change: the same for the same
 * seed.
 */
final class Traces {
  private static final int NAMES = 8;
  private static final int FIRST_LOG = 4;
  private static final int FIRST_SLOTS = 6;
  private static final List<String> KEYS = List.of("alice", "bob", "", "{}", "\uD83C\uDF0A wave");
  private static final int MOST_CLAIMS = 200;

  private final Random random;
  private final String rule;
  private final boolean limitsChange;
  private final Limit[][] versions = new Limit[NAMES][2];

  Traces(Random random, String rule, boolean limitsChange) {
    this.random = random;
    this.rule = rule;
    this.limitsChange = limitsChange;
    for (int name = 0; name < NAMES; name++) {
      versions[name][0] = limit(name);
      versions[name][1] = limitsChange ? limit(name) : versions[name][0];
    }
  }

  /** Mostly nothing or little, sometimes an edge's distance, rarely days. */
  long stepMicros() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> 0;
      case 3 -> 1;
      case 4, 5 -> random.nextInt(1000);
      case 6 -> random.nextInt(1_000_000);
      case 7 -> 1_000_000L * (1 + random.nextInt(12)) + random.nextInt(3) - 1;
      case 8 -> random.nextInt(100_000_000);
      default -> random.nextInt(50) == 0 ? random.nextLong(90L * 86_400_000_000L) : 777;
    };
  }

  Question question() {
    if (limitsChange && random.nextInt(30) == 0) {
      int changed = random.nextInt(NAMES);
      versions[changed][random.nextInt(2)] = limit(changed);
    }
    Operation operation =
        switch (random.nextInt(12)) {
          case 0, 1 -> Operation.PEEK;
          case 2 -> Operation.CHARGE;
          default -> Operation.ACQUIRE;
        };
    List<Claim> claims = claims();
    boolean remembered = limitsChange && operation != Operation.PEEK && random.nextInt(8) == 0;
    boolean held = operation == Operation.ACQUIRE || remembered;
    return new Question(
        operation,
        claims,
        held ? Optional.of(holder()) : Optional.empty(),
        remembered ? Optional.of(requestId()) : Optional.empty());
  }

  /** The same question by somebody else. */
  Question another(Question question) {
    return new Question(
        question.operation(),
        question.claims(),
        question.holder().map(one -> holder()),
        question.requestId());
  }

  private UUID holder() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  /** Few, so that questions meet again. */
  private RequestId requestId() {
    return new RequestId("id " + random.nextInt(2), Duration.ofSeconds(1 + random.nextInt(100)));
  }

  /** All of one version, as a request is answered by one instance. */
  List<Claim> claims() {
    int version = random.nextInt(2);
    if (random.nextInt(60) == 0) {
      return manyClaims(version);
    }
    int count = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      claims.add(claim(version, KEYS.get(random.nextInt(KEYS.size()))));
    }
    return claims;
  }

  private List<Claim> manyClaims(int version) {
    int count = 1 + random.nextInt(MOST_CLAIMS);
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      claims.add(claim(version, "many-" + random.nextInt(MOST_CLAIMS)));
    }
    return claims;
  }

  /** What a store would not grant, but a caller might hand in. */
  long absurdTime(long nowMicros) {
    return switch (random.nextInt(6)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> -1;
      case 3 -> nowMicros + 1;
      case 4 -> nowMicros + random.nextInt(100_000_000);
      default -> nowMicros - random.nextInt(100_000_000);
    };
  }

  private Claim claim(int version, String key) {
    int name = random.nextInt(NAMES);
    Limit limit = versions[name][version];
    Mode mode = name == 3 || name == FIRST_LOG ? Mode.SHADOW : Mode.ENFORCE;
    Policy policy = Policy.of(rule, "limit-" + name, limit).withMode(mode);
    return new Claim(policy, key, permits(limit.capacity()));
  }

  private long permits(long capacity) {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> capacity;
      case 2 -> capacity == Long.MAX_VALUE ? capacity : capacity + 1;
      case 3 -> 1 + random.nextLong(capacity);
      case 4 -> random.nextInt(40) == 0 ? Long.MAX_VALUE : 2;
      case 5, 6 -> 1 + random.nextLong(Math.max(1, capacity / 3));
      default -> 1;
    };
  }

  /** Logs and others have names of their own: nothing is carried over between them. */
  private Limit limit(int name) {
    if (name >= FIRST_SLOTS) {
      return Limit.inFlight(random.nextInt(4) == 0 ? 300 : 1 + random.nextInt(9), period());
    }
    if (name >= FIRST_LOG) {
      return Limit.slidingLog(random.nextInt(4) == 0 ? count() : 1 + random.nextInt(9), period());
    }
    return switch (random.nextInt(6)) {
      case 0, 1 -> Limit.tokenBucket(count(), period()).withBurst(1 + random.nextInt(20));
      case 2 -> warning(Limit.fixedWindow(count(), period()));
      case 3 -> warning(Limit.fixedWindow(count(), period()).fromFirstUse());
      case 4 ->
          warning(
              Limit.fixedWindow(
                  count(),
                  CalendarUnit.values()[random.nextInt(3)],
                  ZoneId.of("America/New_York")));
      default -> Limit.slidingWindow(count(), period());
    };
  }

  /** Not on a Cluster, where what is given back after a denial may have reached the warning. */
  private Limit warning(Limit.FixedWindow limit) {
    return !limitsChange || random.nextInt(3) == 0 ? limit : limit.warnAt(1 + random.nextInt(100));
  }

  private long count() {
    return switch (random.nextInt(8)) {
      case 0 -> 1_000_000;
      case 1 -> 10_007;
      case 2 -> random.nextInt(10) == 0 ? (1L << 53) - 1 : 9_999_991;
      default -> 1 + random.nextInt(15);
    };
  }

  private Duration period() {
    return switch (random.nextInt(8)) {
      case 0 -> Duration.ofDays(1);
      case 1 -> Duration.ofDays(30);
      case 2 -> Duration.ofNanos(1000L * (1 + random.nextInt(100_000)));
      case 3 -> Duration.ofMinutes(1);
      case 4 -> random.nextInt(5) == 0 ? Duration.ofDays(400) : Duration.ofMillis(250);
      default -> Duration.ofSeconds(1 + random.nextInt(10));
    };
  }
}
