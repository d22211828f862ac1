package dev.weir.spi;

import java.util.List;

/**
 * A store's answer to one question.
 *
 * @param atMicros the store's time of the answer, in microseconds since 1970; a grant's receipt
 * @param allowed whether every enforced claim fits, so that those that fit have taken
 * @param each one per claim, in the order asked
 */
public record Verdicts(long atMicros, boolean allowed, List<Verdict> each) {
  public Verdicts {
    each = List.copyOf(each);
  }
}
