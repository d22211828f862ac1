package dev.weir.spi;

/** Answers for one enforced policy on the calling thread, at once. Safe for many threads. */
public interface SingleLimitFastPath {
  /**
   * Takes the permits if they are there, and allocates nothing for a key that is known.
   *
   * @param permits 1 or more
   * @throws dev.weir.StoreUnavailableException if the store has no room for another key
   */
  boolean tryAcquire(String key, long permits);

  /** Takes the permits if they are there, and says what is left. */
  Verdict decide(String key, long permits);
}
