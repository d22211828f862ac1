package dev.weir.server.http;

import org.jspecify.annotations.Nullable;

/**
 * A request whose body has not arrived, or whose answer has not been read. Used by one event loop.
 */
abstract class UnfinishedRequest {
  /** Neighbours in {@link UnfinishedRequestQueue}; each request is in one list at most. */
  @Nullable UnfinishedRequest before;

  @Nullable UnfinishedRequest after;
  boolean listed;

  private final long beganNanos;

  /**
   * @param beganNanos by {@link System#nanoTime}
   */
  UnfinishedRequest(long beganNanos) {
    this.beganNanos = beganNanos;
  }

  final long beganNanos() {
    return beganNanos;
  }

  /** Ends a request that has taken too long. */
  abstract void endLate(long mostMillis);

  /** Releases its memory for other requests; false if it is an administrator's. */
  abstract boolean drop();

  /** Answers the client of a dropped request. */
  abstract void giveUp();
}
