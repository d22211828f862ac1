package dev.weir.spi;

import java.util.List;

/**
 * A store's answer to one question.
 *
 * @param allowed whether every enforced claim that the store could answer fits, so that the claims
 *     that fit have taken
 * @param each one per claim, in the order asked
 */
public record Verdicts(boolean allowed, List<Verdict> each) {
  public Verdicts {
    each = List.copyOf(each);
  }
}
