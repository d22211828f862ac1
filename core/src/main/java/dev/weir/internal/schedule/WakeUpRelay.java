package dev.weir.internal.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Wakes threads whose answers came together. Safe for many threads.
 *
 * <p>To wake a thread is a system call, and takes longer than all else that is done for an answer.
 * One thread that wakes them all, such as the event loop of a connection, keeps the next answers
 * waiting meanwhile. So every thread that wakes up wakes up to {@value #EACH} more before it goes
 * on, until nobody sleeps. All of them have their answers by then, so nobody waits for anything but
 * processors.
 */
public final class WakeUpRelay {
  private static final int EACH = 2;
  private static final ThreadLocal<@Nullable List<BlockedCaller>> GATHERED = new ThreadLocal<>();

  private final List<BlockedCaller> callers;
  private final AtomicInteger next = new AtomicInteger();

  private WakeUpRelay(List<BlockedCaller> callers) {
    this.callers = callers;
  }

  /**
   * Completes answers, and wakes the threads that wait for them afterwards.
   *
   * @param completion must not block
   */
  public static void afterAll(Runnable completion) {
    if (GATHERED.get() != null) {
      completion.run();
      return;
    }
    GATHERED.set(new ArrayList<>());
    try {
      completion.run();
    } finally {
      wakeGathered();
      GATHERED.remove();
    }
  }

  /** Whether the caller will be woken by {@link #afterAll}, because this thread is in it. */
  static boolean gather(BlockedCaller caller) {
    List<BlockedCaller> gathered = GATHERED.get();
    return gathered != null && gathered.add(caller);
  }

  /** Wakes what this thread has gathered so far. */
  static void wakeGathered() {
    List<BlockedCaller> gathered = GATHERED.get();
    if (gathered != null && !gathered.isEmpty()) {
      WakeUpRelay relay = new WakeUpRelay(List.copyOf(gathered));
      gathered.clear();
      relay.start();
    }
  }

  private void start() {
    for (BlockedCaller caller : callers) {
      caller.release(this);
    }
    wake(callers.size());
  }

  /** Wakes some of those who still sleep. Called by each thread that was woken. */
  void help() {
    wake(EACH);
  }

  private void wake(int most) {
    for (int i = 0; i < most; i++) {
      int index = next.getAndIncrement();
      if (index >= callers.size()) {
        return;
      }
      callers.get(index).wake();
    }
  }
}
