package dev.weir.server.dashboard;

import dev.weir.Limit;
import dev.weir.internal.text.LimitPeriod;

/** A limit as people write it: 100 per minute. */
public final class RateText {
  private RateText() {}

  public static String of(Limit limit) {
    return limit.permits() + " per " + LimitPeriod.text(limit.period());
  }
}
