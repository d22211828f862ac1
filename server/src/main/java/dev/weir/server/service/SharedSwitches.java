package dev.weir.server.service;

import dev.weir.redis.RedisStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the switches of all instances on one Redis the same. Safe for many threads.
 *
 * <p>A change is made to what the others see now and written back whole. Two administrators who
 * change different blocks in the same instant can undo each other's change, never a limit.
 */
public final class SharedSwitches {
  private static final System.Logger LOG = System.getLogger(SharedSwitches.class.getName());
  private static final String NAME = "switches";

  private final Switches switches;
  private final Optional<RedisStore> redis;
  private @Nullable String seen;

  /**
   * @param redis what instances share; without it there is only this one
   */
  public SharedSwitches(Switches switches, Optional<RedisStore> redis) {
    this.switches = switches;
    this.redis = redis;
  }

  public Switches here() {
    return switches;
  }

  /** Takes over what another instance has changed; while Redis is away all stays as it is. */
  public CompletionStage<Void> look() {
    return redis
        .<CompletionStage<Void>>map(
            shared -> shared.text(NAME).thenAccept(this::adopt).exceptionally(away -> null))
        .orElseGet(SharedSwitches::done);
  }

  /**
   * Changes the switches here and elsewhere.
   *
   * @return fails if the others could not be told; the change is in effect here all the same
   */
  public CompletionStage<Void> change(Runnable change) {
    if (redis.isEmpty()) {
      change.run();
      return done();
    }
    return look()
        .thenCompose(
            looked -> {
              change.run();
              String text = SwitchesJson.write(switches.state()).encode();
              return redis.get().putText(NAME, text);
            });
  }

  private synchronized void adopt(Optional<String> text) {
    if (text.isEmpty() || text.get().equals(seen)) {
      return;
    }
    seen = text.get();
    try {
      switches.replace(SwitchesJson.read(seen));
    } catch (RuntimeException malformed) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the shared switches cannot be read: " + malformed.getMessage());
    }
  }

  private static CompletionStage<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
