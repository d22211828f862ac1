package example.testkit;

import dev.weir.ManualTime;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;

/** A real Redis, and a clock that is moved by hand. */
final class TestkitConsumer {
  private TestkitConsumer() {}

  public static void main(String[] arguments) {
    ManualTime time = new ManualTime();
    time.set(Instant.EPOCH);
    time.advance(Duration.ofSeconds(5));
    try (RedisProcess redis = RedisProcess.start()) {
      System.out.println(
          redis.command("PING") + " " + Instant.ofEpochSecond(time.nowMicros() / 1_000_000));
    }
  }
}
