package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the kill switch and the blocks of all instances on one Redis the same. Safe for many
 * threads.
 *
 * <p>A change takes effect here at once. To publish it, the shared text is read, the change is made
 * to it, and it is written back only if it has not changed meanwhile, otherwise this is repeated:
 * so two changes at the same time both count. What cannot be published, because Redis does not
 * answer, is kept and published as soon as it does. If Redis has lost the text, the instances that
 * run write it anew.
 *
 * <p>All of this runs on one thread, which may wait for Redis.
 */
public final class SharedAdminOverrides {
  private static final System.Logger LOG = System.getLogger(SharedAdminOverrides.class.getName());
  private static final long POLL_MILLIS = 1000;
  private static final int ATTEMPTS = 50;

  private final AdminOverrides here;
  private final Optional<SharedText> shared;
  private final ScheduledExecutorService thread;
  private final Map<Object, AdminChange> unpublished = new LinkedHashMap<>();
  private Optional<String> seen = Optional.empty(); // only of the thread

  private SharedAdminOverrides(
      AdminOverrides here, Optional<SharedText> shared, ScheduledExecutorService thread) {
    this.here = here;
    this.shared = shared;
    this.thread = thread;
  }

  /**
   * Reads what the instances share, once before it returns and then every second.
   *
   * @param shared the text that instances share; without it there is only this one
   * @param thread a single thread that may wait for Redis
   */
  public static SharedAdminOverrides start(
      AdminOverrides here, Optional<SharedText> shared, ScheduledExecutorService thread) {
    SharedAdminOverrides started = new SharedAdminOverrides(here, shared, thread);
    if (shared.isPresent()) {
      CompletableFuture.runAsync(started::synchronise, started.thread).join();
      started.thread.scheduleWithFixedDelay(
          started::synchronise, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
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
    return CompletableFuture.supplyAsync(() -> published(changes), thread);
  }

  private boolean published(List<AdminChange> changes) {
    synchronise();
    synchronized (unpublished) {
      boolean waits = changes.stream().anyMatch(unpublished::containsValue);
      if (waits) {
        LOG.log(
            System.Logger.Level.WARNING,
            "a change by an administrator counts here only, until Redis answers again");
      }
      return !waits;
    }
  }

  /** Publishes what is to be published, else takes over what others have; never throws. */
  private void synchronise() {
    try {
      synchronise(shared.orElseThrow());
    } catch (StoreUnavailableException away) {
      // the store logs that it does not answer; all stays as it is until it does
    } catch (RuntimeException bug) {
      LOG.log(System.Logger.Level.ERROR, "blocks and the kill switch cannot be shared", bug);
    }
  }

  private void synchronise(SharedText text) {
    for (int i = 0; i < ATTEMPTS; i++) {
      Optional<String> now = text.read();
      List<AdminChange> changes = changes();
      boolean lost = now.isEmpty() && seen.isPresent();
      if (changes.isEmpty() && !lost) {
        adopt(now);
        return;
      }
      AdminOverrides.State next = base(now).with(changes);
      String written = AdminOverridesJson.write(next).encode();
      if (text.swap(now, Optional.of(written))) {
        published(changes, written, lost);
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

  /** What a change is made to: what instances share, or all that is known here if it is lost. */
  private AdminOverrides.State base(Optional<String> now) {
    return now.flatMap(SharedAdminOverrides::read).orElseGet(here::state);
  }

  private void published(List<AdminChange> changes, String written, boolean lost) {
    if (lost) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Redis has lost the blocks and the kill switch; this instance has written them anew");
    }
    synchronized (unpublished) {
      unpublished.values().removeIf(changes::contains);
    }
    adopt(Optional.of(written));
  }

  private void adopt(Optional<String> now) {
    if (now.isEmpty() || now.equals(seen)) {
      return;
    }
    seen = now;
    synchronized (unpublished) {
      read(now.get()).ifPresent(state -> here.replace(state.with(unpublished.values())));
    }
  }

  private static Optional<AdminOverrides.State> read(String text) {
    try {
      return Optional.of(AdminOverridesJson.read(text));
    } catch (RuntimeException malformed) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the shared blocks and kill switch are malformed; those of this instance stay");
      return Optional.empty();
    }
  }
}
