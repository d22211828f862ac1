package dev.weir.rules;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
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
 * files for instance, until there is no text any more; an empty text is none. While the source
 * cannot be read, the rules stay as they are. A version with a fault is refused whole, once.
 */
public final class RuleFeed implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RuleFeed.class.getName());

  private final LiveRules rules;
  private final String name;
  private final Callable<Optional<String>> source;
  private final Poller poller = new Poller();
  private @Nullable String seen;
  private boolean unreadable;

  RuleFeed(LiveRules rules, String name, Callable<Optional<String>> source) {
    this.rules = Objects.requireNonNull(rules, "rules must not be null");
    this.name = Objects.requireNonNull(name, "name must not be null");
    this.source = Objects.requireNonNull(source, "source must not be null");
  }

  /**
   * Reads the source now, and then at the interval.
   *
   * @param interval longer than zero
   * @param name what the source is called in messages
   * @param source called on a thread of its own, and may wait; must return whole versions
   */
  public static RuleFeed start(
      LiveRules rules, Duration interval, String name, Callable<Optional<String>> source) {
    RuleFeed feed = new RuleFeed(rules, name, source);
    feed.refresh();
    feed.poller.start(interval, feed::refresh);
    return feed;
  }

  @Override
  public void close() {
    poller.close();
  }

  /** Reads the source now, without waiting for the interval. */
  public synchronized void refresh() {
    try {
      follow(source.call().orElse(""));
      readable();
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
    boolean wrapped = failed instanceof ExecutionException && failed.getCause() != null;
    Throwable cause = wrapped ? failed.getCause() : failed;
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private void follow(String text) {
    if (text.equals(seen)) {
      return;
    }
    if (!text.isBlank()) {
      take(text);
    } else if (seen != null) {
      rules.endOverride();
    }
    seen = text;
  }

  private void take(String text) {
    try {
      rules.override(RuleSet.parse(name, text));
    } catch (InvalidRulesException faults) {
      rules.refuse(faults);
    }
  }
}
