package dev.weir.http;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import java.time.Duration;
import java.util.Random;

/** Decisions of all kinds, with names that nobody should use. Prints the seed it starts from. */
final class RandomDecisions {
  private static final String PIECES = "\r\n\0\t\"\\;,=%:[]. 019afz~\u007f\u00fc\ud83d\ude00\u2028";

  private final Random random;

  RandomDecisions(String test) {
    long seed = Long.getLong("weir.seed", 1);
    System.out.println(test + " seed " + seed);
    random = new Random(seed);
  }

  Decision next() {
    Answered answered = Answered.with();
    for (int i = random.nextInt(3); i >= 0; i--) {
      long permits = 1 + random.nextLong(1L << random.nextInt(1, 53));
      Limit limit = Limit.fixedWindow(permits, duration(1));
      Policy policy = Policy.of("r" + text(), "n" + text(), limit);
      switch (random.nextInt(4)) {
        case 0 -> answered.fits(policy, random.nextLong(1L << 53), duration(0));
        case 1 -> answered.denied(policy, random.nextLong(9), duration(1), duration(1));
        case 2 -> answered.denied(policy, 5, Decision.NEVER, Duration.ZERO);
        default -> answered.failed(policy.onStoreFailure(FailurePolicy.DENY));
      }
    }
    return answered.decision();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      boolean any = random.nextInt(8) == 0;
      text.append(any ? (char) random.nextInt(1 << 16) : pick());
    }
    return text.toString();
  }

  private char pick() {
    return PIECES.charAt(random.nextInt(PIECES.length()));
  }

  private Duration duration(long least) {
    long micros = least + random.nextLong(1L << random.nextInt(1, 44));
    return Duration.ofNanos(micros * 1000);
  }
}
