package dev.weir;

/** Who gave an answer. */
public enum Source {
  /** The store, which knows. */
  STORE,
  /** A failure policy, because the store could not answer. */
  FALLBACK
}
