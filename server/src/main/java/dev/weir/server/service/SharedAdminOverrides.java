package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the switches of all instances on one Redis the same. Safe for many threads.
 *
 * <p>A change is made to what the others see now and written back whole. Two administrators who
 * change different blocks in the same instant can undo each other's change, never a limit.
 */
public final class SharedAdminOverrides {
  private static final System.Logger LOG = System.getLogger(SharedAdminOverrides.class.getName());
  private static final String NAME = "switches";

  private final AdminOverrides switches;
  private final Optional<RedisStore> redis;
  private @Nullable String seen;

  /**
   * @param redis what instances share; without it there is only this one
   */
  public SharedAdminOverrides(AdminOverrides switches, Optional<RedisStore> redis) {
    this.switches = switches;
    this.redis = redis;
  }

  public AdminOverrides here() {
    return switches;
  }

  /** Takes over what another instance has changed; while Redis is away all stays as it is. */
  public CompletionStage<Void> look() {
    return redis
        .<CompletionStage<Void>>map(
            shared -> shared.text(NAME).thenAccept(this::adopt).exceptionally(away -> null))
        .orElseGet(SharedAdminOverrides::done);
  }

  /**
   * Changes the switches here, whatever happens, and elsewhere.
   *
   * @return whether the other instances get to know: not while Redis is away
   */
  public CompletionStage<Boolean> change(Runnable change) {
    if (redis.isEmpty()) {
      change.run();
      return CompletableFuture.completedFuture(true);
    }
    return look()
        .thenCompose(
            looked -> {
              change.run();
              return redis.get().putText(NAME, AdminOverridesJson.write(switches.state()).encode());
            })
        .handle((told, away) -> told(away));
  }

  /** A change that cannot be made at all is not one that others were not told of. */
  private static boolean told(@Nullable Throwable failure) {
    if (failure == null) {
      return true;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof StoreUnavailableException) {
      return false;
    }
    throw new CompletionException(cause);
  }

  private synchronized void adopt(Optional<String> text) {
    if (text.isEmpty() || text.get().equals(seen)) {
      return;
    }
    seen = text.get();
    try {
      switches.replace(AdminOverridesJson.read(seen));
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
