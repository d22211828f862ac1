package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.LimitPeriod;
import java.time.Duration;

/**
 * Blocks a key that goes on asking after it was denied, for longer each time. Immutable.
 *
 * <p>A key is blocked when it has {@code denials} denials within {@code period} of the first of
 * them. The first block is {@code block} long, and each further one {@code growing} times as long
 * as the one before, but never longer than {@code atMost}. One step of that growth is forgiven for
 * every {@code atMost} that passes. Requests of a blocked key are denied; they take nothing, and do
 * not count as further denials.
 *
 * @param denials how many denials block a key, 1 or more
 * @param period the time in which they must happen, from the first of them on
 * @param block how long the first block lasts: 1 second or more
 * @param growing 1 for blocks of one length, or from 1.5 to 100
 * @param atMost the longest block, and how long a step of growth is remembered
 */
public record Penalty(
    long denials, Duration period, Duration block, double growing, Duration atMost) {
  private static final Duration SHORTEST_BLOCK = Duration.ofSeconds(1);
  private static final double LEAST_GROWTH = 1.5;
  private static final double MAX_GROWTH = 100;

  public Penalty {
    Check.limitPermits("denials", denials);
    Check.period("after", period);
    Check.period("block", block);
    Check.period("at-most", atMost);
    if (block.compareTo(SHORTEST_BLOCK) < 0) {
      throw new IllegalArgumentException(
          "block must be 1s or longer, was " + HumanDuration.of(block));
    }
    if (growing != 1 && !(growing >= LEAST_GROWTH && growing <= MAX_GROWTH)) {
      throw new IllegalArgumentException("growing must be 1, or from 1.5 to 100, was " + growing);
    }
    if (atMost.compareTo(block) < 0) {
      throw new IllegalArgumentException(
          "at-most must not be shorter than block, "
              + HumanDuration.of(block)
              + ", was "
              + HumanDuration.of(atMost));
    }
  }

  /** How many denials lead to a block, as a rule file says it: {@code 5 denials per 10m}. */
  public String afterText() {
    return denials + (denials == 1 ? " denial" : " denials") + " per " + LimitPeriod.text(period);
  }

  /** How many blocks in a row it takes to reach the longest. */
  public int steps() {
    int steps = 1;
    while (growing > 1 && length(steps).compareTo(atMost) < 0) {
      steps++;
    }
    return steps;
  }

  /**
   * How long a block lasts.
   *
   * @param step 1 for the first block
   */
  public Duration length(int step) {
    double micros = Micros.of(block) * Math.pow(growing, step - 1);
    long most = Micros.of(atMost);
    return Micros.toDuration(micros < most ? (long) micros : most);
  }
}
