package dev.weir.redis;

import dev.weir.testkit.RedisProcess;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * The time whose admissions a new master was never told: from the last moment at which it was known
 * to have all that the old one had, to the last call that the old one got. Rounded up by the time
 * between two looks at the servers, never down. Used by one thread.
 */
final class LostTime {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration PACE = Duration.ofMillis(5);

  private final RedisProcess master;
  private final RedisProcess replica;
  private long replicatedUntil;
  private long usedUntil;
  private long masterlessUntil;
  private long calls;

  LostTime(RedisProcess master, RedisProcess replica) {
    this.master = master;
    this.replica = replica;
  }

  /** Kills the master when its replica is up to date, and waits until that is the master. */
  void kill() {
    until(this::isUpToDate);
    master.kill();
    usedUntil = System.nanoTime();
    masterlessUntil = usedUntil;
    until(
        () -> {
          long now = System.nanoTime();
          boolean promoted = value(replica, "replication", "role:").equals("master");
          masterlessUntil = promoted ? masterlessUntil : now;
          return promoted;
        });
  }

  /** Waits until the replica is the master, whose predecessor stays alive. */
  void awaitPromotion() {
    until(() -> !isUpToDate() && value(replica, "replication", "role:").equals("master"));
    calls = calls();
    usedUntil = System.nanoTime();
    masterlessUntil = usedUntil;
  }

  /** Watches the old master for calls that it still gets. */
  void watchCalls(Duration time) {
    long begin = System.nanoTime();
    until(
        () -> {
          noteCalls();
          return System.nanoTime() - begin >= time.toNanos();
        });
  }

  /** Notes whether the old master got calls since it was looked at last. */
  void noteCalls() {
    long before = calls;
    calls = calls();
    if (calls > before) {
      usedUntil = System.nanoTime();
    }
  }

  Duration duration() {
    return Duration.ofNanos(usedUntil - replicatedUntil);
  }

  /** How long there was no master, rounded down. */
  Duration masterless() {
    return Duration.ofNanos(masterlessUntil - Math.min(usedUntil, masterlessUntil));
  }

  private boolean isUpToDate() {
    long now = System.nanoTime();
    long written = Long.parseLong(value(master, "replication", "master_repl_offset:"));
    String seen = replica.command("INFO", "replication");
    boolean upToDate =
        value(seen, "role:").equals("slave")
            && Long.parseLong(value(seen, "slave_repl_offset:")) >= written;
    replicatedUntil = upToDate ? now : replicatedUntil;
    return upToDate;
  }

  private long calls() {
    String statistics = value(master, "commandstats", "cmdstat_evalsha:calls=");
    return Long.parseLong(statistics.split(",")[0]);
  }

  private static String value(RedisProcess server, String section, String name) {
    return value(server.command("INFO", section), name);
  }

  /** An answer without the line was cut off by a promotion. */
  private static String value(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElseThrow(() -> new UncheckedIOException(new EOFException("no " + name + info)));
  }

  private static void until(BooleanSupplier condition) {
    Awaitility.await()
        .atMost(SOON)
        .pollInterval(PACE)
        .ignoreExceptionsInstanceOf(UncheckedIOException.class) // a promotion closes connections
        .until(condition::getAsBoolean);
  }
}
