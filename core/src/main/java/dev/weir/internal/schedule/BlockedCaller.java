package dev.weir.internal.schedule;

import dev.weir.internal.CompletionFailures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for an answer.
 *
 * <p>If no other thread waits, it spins for a while, as {@link AdaptiveSpin} says: to wake a thread
 * takes about as long as a store on the same machine takes to answer. Otherwise it sleeps. When it
 * is woken, it first wakes some of the threads whose answers came together with its own, as {@link
 * WakeUpRelay} says.
 */
public final class BlockedCaller implements ForkJoinPool.ManagedBlocker {
  private static final AtomicInteger WAITING = new AtomicInteger();
  private static final AdaptiveSpin SPIN = new AdaptiveSpin(System::nanoTime);

  private final Thread thread = Thread.currentThread();
  private volatile boolean isAnswered;
  private volatile @Nullable WakeUpRelay relay;
  private boolean wasInterrupted;

  private BlockedCaller() {}

  /** Waits for an answer; an unchecked failure is thrown as it is. Ignores interrupts. */
  public static <T> T join(CompletionStage<T> answer) {
    CompletableFuture<T> future = answer.toCompletableFuture();
    if (!future.isDone()) {
      await(future);
    }
    return CompletionFailures.join(future);
  }

  private static void await(CompletableFuture<?> future) {
    WakeUpRelay.wakeGathered(); // those threads must not wait for this one
    WAITING.incrementAndGet();
    try {
      if (!isAlone() || !SPIN.until(future::isDone, BlockedCaller::isAlone)) {
        new BlockedCaller().sleepUntil(future);
      }
    } finally {
      WAITING.decrementAndGet();
    }
  }

  private static boolean isAlone() {
    return WAITING.get() == 1;
  }

  private void sleepUntil(CompletableFuture<?> future) {
    future.whenComplete((answer, failure) -> answered());
    try {
      ForkJoinPool.managedBlock(this);
    } catch (RejectedExecutionException noSpareThread) {
      while (!isReleasable()) {
        block();
      }
    } catch (InterruptedException impossible) {
      throw new AssertionError("block() does not throw it", impossible);
    } finally {
      WakeUpRelay together = relay;
      if (together != null) {
        together.help();
      }
      if (wasInterrupted) {
        thread.interrupt();
      }
    }
  }

  private void answered() {
    if (!WakeUpRelay.gather(this)) {
      isAnswered = true;
      LockSupport.unpark(thread);
    }
  }

  /** Lets the thread go on as soon as it is woken, and help the relay then. */
  void release(WakeUpRelay together) {
    relay = together;
    isAnswered = true;
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public boolean block() {
    LockSupport.park(this);
    if (Thread.interrupted()) {
      wasInterrupted = true;
    }
    return isAnswered;
  }

  @Override
  public boolean isReleasable() {
    return isAnswered;
  }
}
