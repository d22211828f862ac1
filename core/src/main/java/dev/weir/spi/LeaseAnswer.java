package dev.weir.spi;

import dev.weir.internal.Check;

/**
 * A store's answer to a question that was asked several times over in one step.
 *
 * @param granted how many of them were allowed, each with all its claims: 0 or more
 * @param verdicts of the last one: allowed if all of them were, otherwise the denial of the first
 *     that was not; with the state after what was taken
 */
public record LeaseAnswer(int granted, Verdicts verdicts) {
  public LeaseAnswer {
    Check.notNull("verdicts", verdicts);
  }
}
