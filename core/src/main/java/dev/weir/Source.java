package dev.weir;

/** What gave an answer. */
public enum Source {
  /** The store, from the state of the limit. */
  STORE,
  /** The deny cache: a denial of the store that still holds. */
  DENY_CACHE,
  /** Permits that this instance took from the store in advance, or a denial until it asks again. */
  LEASE,
  /** A failure policy, because the store could not answer. */
  FALLBACK,
  /** A block, because the key went on asking after it was denied: see {@link Penalty}. */
  PENALTY
}
