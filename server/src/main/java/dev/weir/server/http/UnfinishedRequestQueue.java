package dev.weir.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Unfinished requests, the first to begin first. Used by one event loop.
 *
 * <p>A list whose links are in the requests themselves: every request is added and removed twice,
 * and a set would hash and allocate for each.
 */
final class UnfinishedRequestQueue {
  private @Nullable UnfinishedRequest first;
  private @Nullable UnfinishedRequest last;

  void add(UnfinishedRequest request) {
    request.listed = true;
    request.before = last;
    if (last == null) {
      first = request;
    } else {
      last.after = request;
    }
    last = request;
  }

  void remove(UnfinishedRequest request) {
    if (!request.listed) {
      return;
    }
    UnfinishedRequest before = request.before;
    UnfinishedRequest after = request.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    request.before = null;
    request.after = null;
    request.listed = false;
  }

  /** Drops the oldest requests that may be dropped, until enough memory is free. */
  List<UnfinishedRequest> drop(BooleanSupplier need) {
    List<UnfinishedRequest> dropped = new ArrayList<>();
    UnfinishedRequest next = first;
    while (next != null && need.getAsBoolean()) {
      UnfinishedRequest request = next;
      next = request.after;
      if (request.drop()) {
        remove(request);
        dropped.add(request);
      }
    }
    return dropped;
  }

  /** Removes those that began before a time of {@link System#nanoTime}. */
  List<UnfinishedRequest> removeBefore(long nanos) {
    List<UnfinishedRequest> removed = new ArrayList<>();
    UnfinishedRequest oldest = first;
    while (oldest != null && oldest.beganNanos() - nanos < 0) {
      remove(oldest);
      removed.add(oldest);
      oldest = first;
    }
    return removed;
  }
}
