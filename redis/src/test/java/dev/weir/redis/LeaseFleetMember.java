package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A limiter with leases in a process of its own, which notes every admission in a file: when its
 * request was made and when it was answered, by the machine's clock that never goes back. The file
 * is memory of the machine, so it outlives a process that is killed.
 *
 * <p>Arguments: address, limit, file, how many requests a caller makes per second. It says "ready"
 * and its time, begins at the first line it reads, and at the second says how many it asked for,
 * and how many of those the store was asked.
 */
final class LeaseFleetMember {
  static final Duration LEASE = Duration.ofMillis(500);
  static final int CALLERS = 2;
  static final int MOST_PER_CALLER = 200_000;

  private final RateLimiter limiter;
  private final Path file;
  private final long pauseNanos;
  private final LongAdder asked = new LongAdder();
  private final LongAdder byLease = new LongAdder();
  private volatile boolean stopped;

  private LeaseFleetMember(RateLimiter limiter, Path file, long pauseNanos) {
    this.limiter = limiter;
    this.file = file;
    this.pauseNanos = pauseNanos;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    GuardedStore store =
        GuardedStore.builder(
                RedisStore.builder(arguments[0])
                    .timeout(Duration.ofSeconds(2))
                    .connectTimeout(Duration.ofSeconds(30))
                    .build())
            .deadline(Duration.ofSeconds(1))
            .build();
    Policy policy =
        Policy.of("fleet", "leased", limit(arguments[1]))
            .onStoreFailure(FailurePolicy.DENY)
            .withLease(LEASE);
    RateLimiter limiter = RateLimiter.builder().policy(policy).store(store).build();
    long pause = 1_000_000_000L / Long.parseLong(arguments[3]);
    LeaseFleetMember member = new LeaseFleetMember(limiter, Path.of(arguments[2]), pause);
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready " + System.currentTimeMillis());
    orders.readLine();
    List<Thread> callers = member.start();
    orders.readLine();
    member.stopped = true;
    for (Thread caller : callers) {
      caller.join();
    }
    System.out.println(member.asked.sum() + " " + member.byLease.sum());
    store.close();
    System.exit(0);
  }

  /** Such as {@code token-bucket 100 200 1000}: permits, burst, period in milliseconds. */
  static Limit limit(String text) {
    String[] parts = text.split(" ");
    long permits = Long.parseLong(parts[1]);
    Duration period = Duration.ofMillis(Long.parseLong(parts[3]));
    return switch (parts[0]) {
      case "token-bucket" -> Limit.tokenBucket(permits, period).withBurst(Long.parseLong(parts[2]));
      case "fixed-window" -> Limit.fixedWindow(permits, period);
      case "sliding-window" -> Limit.slidingWindow(permits, period);
      default -> throw new IllegalArgumentException(text);
    };
  }

  private List<Thread> start() throws IOException {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      LongBuffer notes = notes(i);
      Thread caller = new Thread(() -> ask(notes));
      caller.setDaemon(true);
      callers.add(caller);
      caller.start();
    }
    return callers;
  }

  private LongBuffer notes(int caller) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + "-" + caller),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return channel.map(MapMode.READ_WRITE, 0, 16L * MOST_PER_CALLER).asLongBuffer();
    }
  }

  private void ask(LongBuffer notes) {
    while (!stopped && notes.remaining() > 2) {
      long before = System.nanoTime();
      Decision decision = limiter.decide("key");
      long after = System.nanoTime();
      if (decision.allowed()) {
        notes.put(before).put(after);
      }
      asked.increment();
      if (decision.source() == Source.LEASE) {
        byLease.increment();
      }
      LockSupport.parkNanos(pauseNanos - (System.nanoTime() - before));
    }
  }
}
