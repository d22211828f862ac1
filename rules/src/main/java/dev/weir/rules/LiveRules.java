package dev.weir.rules;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Rules that can be replaced while they are asked. Safe for many threads.
 *
 * <p>A request takes the rules once, with {@link #get}, and is decided by that version whole; the
 * next request sees the new one. Counters belong to the names of rules and limits, not to a
 * version: a limit that keeps its names keeps what was used.
 */
public final class LiveRules implements Supplier<RuleSet> {
  private final List<RuleListener> listeners = new CopyOnWriteArrayList<>();
  private volatile RuleSet current;

  public LiveRules(RuleSet first) {
    current = Objects.requireNonNull(first, "first must not be null");
  }

  /** The rules as they are now. */
  @Override
  public RuleSet get() {
    return current;
  }

  /** Puts other rules into effect, at once and whole; listeners are told on this thread. */
  public void replace(RuleSet next) {
    current = Objects.requireNonNull(next, "next must not be null");
    listeners.forEach(listener -> listener.replaced(next));
  }

  /** Tells the listeners of rules that were not taken; those in effect stay. For sources. */
  public void refuse(InvalidRulesException why) {
    listeners.forEach(listener -> listener.refused(why));
  }

  public void listen(RuleListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
  }
}
