package dev.weir.internal.guard;

/**
 * How much the guards keep: with the longest keys, a third of the heap. Clients choose the keys, so
 * a fixed number of entries could exceed a small heap.
 *
 * @param keys with local use, and with a known remaining
 * @param denials in the deny cache
 * @param localBytes for the state of local shares
 */
public record GuardBounds(int keys, int denials, long localBytes) {
  private static final int MAX_KEYS = 100_000;
  private static final int MAX_DENIALS = 50_000;
  private static final int LEAST = 1000;

  /** Local state, its ledger, the last remaining permits, and denials share a third of the heap. */
  private static final int SHARE = 3 * 4;

  /** The size of an entry: 256 characters of two bytes, and the objects around them. */
  private static final int ENTRY_BYTES = 800;

  /** The maps have two generations, or two parts, each with the same bound. */
  private static final int GENERATIONS = 2;

  /** For the heap of this process. */
  public static GuardBounds ofThisProcess() {
    return of(Runtime.getRuntime().maxMemory());
  }

  static GuardBounds of(long heapBytes) {
    long each = heapBytes / SHARE;
    long entries = Math.max(LEAST, each / GENERATIONS / ENTRY_BYTES);
    return new GuardBounds(
        (int) Math.min(MAX_KEYS, entries), (int) Math.min(MAX_DENIALS, entries), each);
  }
}
