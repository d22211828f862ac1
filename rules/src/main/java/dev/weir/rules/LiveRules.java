package dev.weir.rules;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rules that can be replaced while they are in use. Safe for many threads.
 *
 * <p>A request takes the rules once, with {@link #get}, and is decided by that version whole; the
 * next request sees the new one. Counters belong to the names of rules and limits, not to a
 * version: a limit that keeps its names keeps what was used.
 *
 * <p>There are two layers. {@link #replace} sets the base, as a {@link RuleWatch} does when files
 * change. {@link #override} sets rules that win over the base until {@link #endOverride}, as a
 * {@link RuleFeed} does for rules that a fleet shares. So it does not matter which of them changes
 * last, or in what order an instance reads them when it starts.
 */
public final class LiveRules implements Supplier<RuleSet> {
  private final List<RuleListener> listeners = new CopyOnWriteArrayList<>();
  private RuleSet base;
  private @Nullable RuleSet override;
  private volatile RuleSet current;

  public LiveRules(RuleSet first) {
    base = Objects.requireNonNull(first, "first must not be null");
    current = first;
  }

  /** The rules in effect. */
  @Override
  public RuleSet get() {
    return current;
  }

  /**
   * Replaces the base. Unless there is an override, it takes effect at once and whole; listeners
   * are called on this thread.
   */
  public synchronized void replace(RuleSet next) {
    base = Objects.requireNonNull(next, "next must not be null");
    if (override == null) {
      putIntoEffect(next);
    } else {
      listeners.forEach(listener -> listener.overridden(next));
    }
  }

  /** Puts rules into effect that win over the base, at once and whole. */
  public synchronized void override(RuleSet next) {
    override = Objects.requireNonNull(next, "next must not be null");
    putIntoEffect(next);
  }

  /** Returns to the base; does nothing if there is no override. */
  public synchronized void endOverride() {
    if (override != null) {
      override = null;
      putIntoEffect(base);
    }
  }

  /** Whether the rules in effect are an override. */
  public synchronized boolean isOverridden() {
    return override != null;
  }

  private void putIntoEffect(RuleSet next) {
    current = next;
    listeners.forEach(listener -> listener.replaced(next));
  }

  /**
   * Notifies the listeners of rules that were refused; those in effect stay. For sources of rules.
   */
  public synchronized void refuse(InvalidRulesException why) {
    listeners.forEach(listener -> listener.refused(why));
  }

  public void listen(RuleListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
  }
}
