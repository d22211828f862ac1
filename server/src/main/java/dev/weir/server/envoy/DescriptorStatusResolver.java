package dev.weir.server.envoy;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.TimeSource;
import dev.weir.rules.DescriptorRate;
import dev.weir.server.envoy.LimitedDescriptor.Kind;
import java.time.Duration;

/** Makes the status of a descriptor from what the store said about its rates. */
final class DescriptorStatusResolver {
  private static final long MICROS = 1_000_000;

  private final TimeSource time;

  /**
   * @param time for limits that let nothing pass, which need no call to the store
   */
  DescriptorStatusResolver(TimeSource time) {
    this.time = time;
  }

  DescriptorStatus of(LimitedDescriptor line) {
    RateOutcome shown = line.answers.get(0);
    for (RateOutcome answer : line.answers) {
      shown = tighter(shown, answer);
    }
    boolean over = !line.fits() && !line.shadow();
    DescriptorRate rate = shown.known() ? shown.rate() : null;
    boolean takes = line.kind == Kind.TAKE || line.kind == Kind.CHARGE;
    return new DescriptorStatus(
        over,
        line.fits(),
        line.match,
        rate,
        takes ? line.hits : 0,
        shown.remaining(),
        shown.before(),
        rate == null ? 0 : resetSeconds(shown));
  }

  /** Of several rates, the one that denies for the longest, else the one with least left. */
  private RateOutcome tighter(RateOutcome one, RateOutcome other) {
    if (one.fits() != other.fits()) {
      return one.fits() ? other : one;
    }
    if (!one.fits()) {
      return resetMicros(other) > resetMicros(one) ? other : one;
    }
    return other.remaining() < one.remaining() ? other : one;
  }

  private long resetSeconds(RateOutcome answer) {
    return (resetMicros(answer) + MICROS - 1) / MICROS;
  }

  /** When the request would pass, else when the limit is fresh: of a fixed window, its end. */
  private long resetMicros(RateOutcome answer) {
    Limit limit = answer.rate().limit();
    if (limit instanceof Limit.FixedWindow window) {
      return windowMicros(window, answer);
    }
    if (answer.outcome() == null) {
      return micros(limit.period());
    }
    if (answer.fits()) {
      return micros(answer.outcome().resetAfter());
    }
    Duration wait = answer.outcome().retryAfter();
    return micros(wait.equals(Decision.NEVER) ? limit.period() : wait);
  }

  /** The end of the window is known only if the key has used something in it. */
  private long windowMicros(Limit.FixedWindow window, RateOutcome answer) {
    long known = answer.outcome() == null ? 0 : micros(answer.outcome().resetAfter());
    if (known > 0) {
      return known;
    }
    long now = now(answer);
    return window.windowEndMicros(now) - now;
  }

  private long now(RateOutcome answer) {
    long asked = answer.outcome() == null ? 0 : answer.outcome().atMicros();
    return asked == 0 ? time.nowMicros() : asked;
  }

  private static long micros(Duration duration) {
    return duration.getSeconds() * MICROS + duration.getNano() / 1000;
  }
}
