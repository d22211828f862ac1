package dev.weir;

/** Who gave an answer. */
public enum Source {
  /** The store, which knows. */
  STORE,
  /** A denial of the store that still holds, remembered here. */
  DENY_CACHE,
  /** A failure policy, because the store could not answer. */
  FALLBACK
}
