package dev.weir.rules;

import dev.weir.internal.CompletionFailures;
import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.RepeatingTask;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows rules that are kept as one text elsewhere, so that a fleet changes together: in Redis, in
 * a database, in a configuration service. Safe for many threads; close it to stop.
 *
 * <pre>{@code
 * LiveRules rules = new LiveRules(RuleSet.load(Path.of("weir.yaml")));
 * RuleFeed feed = RuleFeed.start(
 *     rules, Duration.ofSeconds(1), "redis",
 *     () -> redis.texts().get("rules").toCompletableFuture().get());
 * }</pre>
 *
 * <p>The text is read at an interval; every instance that reaches its source has a new version
 * within one interval and the time of one read. It overrides the rules that were there before, from
 * files for instance, until an empty text ends that. While the source cannot be read, the rules
 * stay as they are. A version with a fault is refused whole, once.
 *
 * <p>A text that disappears without having been emptied counts as lost, as after a restart of Redis
 * without persistence: the rules stay in effect, and a running instance can write them again.
 */
public final class RuleFeed implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RuleFeed.class.getName());

  private final LiveRules rules;
  private final String name;
  private final Callable<Optional<String>> source;
  private final Consumer<String> whenLost;
  private final RepeatingTask polling =
      new RepeatingTask("reading the rules again", Callbacks.EXECUTOR, this::refresh);
  private @Nullable String seen;
  private @Nullable String inEffect;
  private boolean unreadable;
  private boolean lost;

  RuleFeed(
      LiveRules rules, String name, Callable<Optional<String>> source, Consumer<String> whenLost) {
    this.rules = Objects.requireNonNull(rules, "rules must not be null");
    this.name = Objects.requireNonNull(name, "name must not be null");
    this.source = Objects.requireNonNull(source, "source must not be null");
    this.whenLost = Objects.requireNonNull(whenLost, "whenLost must not be null");
  }

  /**
   * Reads the source now, and then at the interval.
   *
   * @param interval longer than zero
   * @param name what the source is called in messages
   * @param source called on a thread for callbacks, and may wait; must return whole versions
   */
  public static RuleFeed start(
      LiveRules rules, Duration interval, String name, Callable<Optional<String>> source) {
    return start(rules, interval, name, source, text -> {});
  }

  /**
   * As above, and writes the text again if the source has lost it.
   *
   * @param whenLost called with the text in effect at each reading that finds none, and may wait;
   *     it should write the text unless there is one meanwhile
   */
  public static RuleFeed start(
      LiveRules rules,
      Duration interval,
      String name,
      Callable<Optional<String>> source,
      Consumer<String> whenLost) {
    RuleFeed feed = new RuleFeed(rules, name, source, whenLost);
    feed.refresh();
    feed.polling.start(interval);
    return feed;
  }

  @Override
  public void close() {
    polling.close();
  }

  /** Reads the source now, without waiting for the interval. */
  public synchronized void refresh() {
    try {
      Optional<String> text = source.call();
      readable();
      text.ifPresentOrElse(this::follow, this::restore);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (Exception failed) { // a Callable may throw anything, and none of it ends the feed
      unreadable(failed);
    }
  }

  /** Whether the latest attempt to read the source succeeded. */
  public synchronized boolean isReadable() {
    return !unreadable;
  }

  private void readable() {
    if (unreadable) {
      LOG.log(System.Logger.Level.INFO, "the rules in " + name + " can be read again");
    }
    unreadable = false;
  }

  private void unreadable(Exception failed) {
    if (!unreadable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the rules in {0} cannot be read, those in effect stay: {1}",
          name,
          reason(failed));
    }
    unreadable = true;
  }

  private static String reason(Exception failed) {
    Throwable cause = Objects.requireNonNull(CompletionFailures.unwrap(failed));
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private void follow(String text) {
    lost = false;
    if (text.equals(seen)) {
      return;
    }
    if (text.isBlank()) {
      inEffect = null;
      rules.endOverride();
    } else {
      take(text);
    }
    seen = text;
  }

  private void take(String text) {
    try {
      rules.override(RuleSet.parse(name, text));
      inEffect = text;
    } catch (InvalidRulesException faults) {
      rules.refuse(faults);
    }
  }

  /** There is no text: a source that had one has lost it. */
  private void restore() {
    if (inEffect == null) {
      return;
    }
    if (!lost) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the rules in {0} are gone and were not withdrawn; those in effect stay",
          name);
    }
    lost = true;
    try {
      whenLost.accept(inEffect);
    } catch (RuntimeException notNow) {
      LOG.log(System.Logger.Level.DEBUG, "lost rules could not be written anew", notNow);
    }
  }
}
