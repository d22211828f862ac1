package dev.weir;

import dev.weir.internal.Check;

/** A request was denied, where the caller asked for an exception instead of a decision. */
public final class DeniedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Decision decision;

  public DeniedException(Decision decision) {
    super("denied by " + Check.notNull("decision", decision).denying());
    this.decision = decision;
  }

  /** The denial: which limits, and how long to wait. */
  public Decision decision() {
    return decision;
  }
}
