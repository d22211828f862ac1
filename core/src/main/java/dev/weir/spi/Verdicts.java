package dev.weir.spi;

import dev.weir.internal.Check;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A store's answer to one question.
 *
 * @param allowed whether every enforced claim that the store could answer fits, so that the claims
 *     that fit have taken
 * @param each one per claim, in the order asked
 * @param repeatOf for an answer that was given before to the same request id: the holder of that
 *     first question; the permits were taken then
 */
public record Verdicts(boolean allowed, List<Verdict> each, Optional<UUID> repeatOf) {
  public Verdicts {
    each = List.copyOf(each);
    Check.notNull("repeatOf", repeatOf);
  }

  /** An answer that was not given before. */
  public Verdicts(boolean allowed, List<Verdict> each) {
    this(allowed, each, Optional.empty());
  }

  /** The same answer, given again. */
  public Verdicts repeated(UUID firstHolder) {
    return new Verdicts(allowed, each, Optional.of(firstHolder));
  }
}
