package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.spi.Verdicts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * A process of its own that asks for one key as fast as it can and prints how often it was
 * admitted.
 *
 * <p>Arguments: address, limit by its name in {@link Asking}, permits, attempts. It says "ready",
 * waits for a line, and starts.
 */
final class RaceClient {
  private static final int PIPELINE = 64;

  private RaceClient() {}

  public static void main(String[] arguments) throws IOException {
    Limit limit = limit(arguments[1], Long.parseLong(arguments[2]));
    int attempts = Integer.parseInt(arguments[3]);
    Duration patience = Duration.ofSeconds(60);
    try (RedisStore store =
        RedisStore.builder(arguments[0]).timeout(patience).connectTimeout(patience).build()) {
      System.out.println("ready");
      System.in.read();
      System.out.println(race(Asking.about(store, limit), attempts));
    }
  }

  private static long race(Asking asking, int attempts) {
    long admitted = 0;
    ArrayDeque<CompletableFuture<Verdicts>> underWay = new ArrayDeque<>();
    for (int i = 0; i < attempts; i++) {
      underWay.add(asking.send("key", 1));
      if (underWay.size() == PIPELINE) {
        admitted += asking.await(underWay.remove()).allowed() ? 1 : 0;
      }
    }
    for (CompletableFuture<Verdicts> last : underWay) {
      admitted += asking.await(last).allowed() ? 1 : 0;
    }
    return admitted;
  }

  private static Limit limit(String name, long permits) {
    return Asking.limits(permits, Duration.ofDays(400))
        .filter(limit -> Asking.nameOf(limit).equals(name))
        .findFirst()
        .orElseThrow();
  }
}
