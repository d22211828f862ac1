package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.SerialExecutor;
import dev.weir.internal.schedule.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Keeps the kill switch and the blocks of all instances on one Redis the same. Safe for many
 * threads.
 *
 * <p>A change takes effect here at once. To publish it, the shared text is read, the change is made
 * to it, and it is written back only if it has not changed meanwhile, otherwise this is repeated:
 * so two changes at the same time both count. What cannot be published, because Redis does not
 * answer, is kept and published as soon as it does. If Redis has lost the text, a running instance
 * writes its own overrides again, or merges them into what another instance has written meanwhile.
 *
 * <p>All of this runs in the background, one step after another, and may wait for Redis.
 */
public final class SharedAdminOverrides implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SharedAdminOverrides.class.getName());
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final int ATTEMPTS = 50;

  private final AdminOverrides here;
  private final Optional<FleetText> shared;
  private final Executor background = SerialExecutor.keepingAll(Workers.EXECUTOR);
  private final RepeatingTask polling =
      new RepeatingTask("sharing blocks and the kill switch", background, this::synchronise);
  private final Map<Object, AdminChange> unpublished = new LinkedHashMap<>();
  private Optional<String> seen = Optional.empty(); // used in the background alone
  private List<String> origins = List.of(); // of what was seen
  private volatile boolean closed;

  private SharedAdminOverrides(AdminOverrides here, Optional<FleetText> shared) {
    this.here = here;
    this.shared = shared;
  }

  /**
   * Reads what the instances share, once before it returns and then every second.
   *
   * @param shared the text that instances share; without it there is only this one
   */
  public static SharedAdminOverrides start(AdminOverrides here, Optional<FleetText> shared) {
    SharedAdminOverrides started = new SharedAdminOverrides(here, shared);
    if (shared.isPresent()) {
      CompletableFuture.runAsync(started::synchronise, started.background).join();
      started.polling.start(POLL_INTERVAL);
    }
    return started;
  }

  /** The overrides in effect on this instance. */
  public AdminOverrides here() {
    return here;
  }

  /** Whether there are other instances to share with. */
  public boolean isShared() {
    return shared.isPresent();
  }

  /** How many changes only this instance knows of, because Redis did not answer. */
  public int unpublished() {
    synchronized (unpublished) {
      return unpublished.size();
    }
  }

  /**
   * Makes changes here at once, and on the other instances.
   *
   * @return whether the other instances learn of it within a second; if not, they do when Redis
   *     answers again
   * @throws InvalidRequestException if there are too many blocks; then nothing is published
   */
  public CompletionStage<Boolean> change(List<AdminChange> changes) {
    synchronized (unpublished) {
      changes.forEach(change -> change.effect().accept(here));
      if (shared.isEmpty()) {
        return CompletableFuture.completedFuture(true);
      }
      changes.forEach(change -> unpublished.put(change.target(), change));
    }
    return CompletableFuture.supplyAsync(() -> published(changes), background);
  }

  private boolean published(List<AdminChange> changes) {
    synchronise();
    synchronized (unpublished) {
      boolean waits = changes.stream().anyMatch(unpublished::containsValue);
      if (waits) {
        LOG.log(
            System.Logger.Level.WARNING,
            "a change by an administrator applies to this instance only, until Redis answers again");
      }
      return !waits;
    }
  }

  /** Publishes changes of this instance; if there are none, adopts those of others. */
  private void synchronise() {
    if (closed) {
      return;
    }
    try {
      synchronise(shared.orElseThrow());
    } catch (StoreUnavailableException unavailable) {
      // The store itself logs that it does not answer. The next round tries again.
    } catch (RuntimeException bug) {
      LOG.log(System.Logger.Level.ERROR, "blocks and the kill switch cannot be shared", bug);
    }
  }

  private void synchronise(FleetText text) {
    for (int i = 0; i < ATTEMPTS; i++) {
      Optional<String> now = text.read();
      List<AdminChange> changes = changes();
      if (changes.isEmpty() && now.equals(seen)) {
        return;
      }
      Optional<SharedOverrides> theirs = now.flatMap(SharedAdminOverrides::read);
      boolean lost = isLost(now, theirs);
      if (changes.isEmpty() && !lost) {
        adopt(now, theirs);
        return;
      }
      SharedOverrides ours = new SharedOverrides(here.state(), origins);
      SharedOverrides next =
          theirs.map(base -> lost ? base.mergedWith(ours) : base).orElse(ours).with(changes);
      if (text.swap(now, Optional.of(next.write()))) {
        published(changes, next, lost);
        return;
      }
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "blocks and the kill switch were changed elsewhere {0} times in a row; trying again later",
        ATTEMPTS);
  }

  private List<AdminChange> changes() {
    synchronized (unpublished) {
      return new ArrayList<>(unpublished.values());
    }
  }

  /** Whether what was seen is gone: there is no text, or one that was not made from it. */
  private boolean isLost(Optional<String> now, Optional<SharedOverrides> theirs) {
    return seen.isPresent()
        && (now.isEmpty() || theirs.filter(text -> !text.descendsFrom(origins)).isPresent());
  }

  private void published(List<AdminChange> changes, SharedOverrides written, boolean lost) {
    if (lost) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Redis has lost the blocks and the kill switch; this instance has written them anew");
    }
    synchronized (unpublished) {
      unpublished.values().removeIf(changes::contains);
    }
    adopt(Optional.of(written.write()), Optional.of(written));
  }

  private void adopt(Optional<String> now, Optional<SharedOverrides> read) {
    if (now.isEmpty()) {
      return;
    }
    seen = now;
    read.ifPresent(
        shared -> {
          origins = shared.origins();
          synchronized (unpublished) {
            here.replace(shared.state().with(unpublished.values()));
          }
        });
  }

  /** Stops sharing; the overrides of this instance stay. */
  @Override
  public void close() {
    closed = true;
    polling.close();
  }

  private static Optional<SharedOverrides> read(String text) {
    try {
      return Optional.of(SharedOverrides.read(text));
    } catch (RuntimeException malformed) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the shared blocks and kill switch are malformed; those of this instance stay");
      return Optional.empty();
    }
  }
}
