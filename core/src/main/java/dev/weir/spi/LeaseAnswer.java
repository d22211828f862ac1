package dev.weir.spi;

import dev.weir.internal.Check;

/**
 * A store's answer to a question that was asked several times in one step.
 *
 * @param granted how many of the questions were allowed, each with all its claims: 0 or more
 * @param verdicts those of the last question if all were allowed, otherwise those of the first
 *     denied one; with the state after all permits were taken
 */
public record LeaseAnswer(int granted, Verdicts verdicts) {
  public LeaseAnswer {
    Check.notNull("verdicts", verdicts);
  }
}
