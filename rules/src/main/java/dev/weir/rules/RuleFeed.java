package dev.weir.rules;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Follows rules that are kept as one text elsewhere, so that a fleet changes together: in Redis, in
 * a database, in a configuration service. Safe for many threads; close it to stop.
 *
 * <pre>{@code
 * LiveRules rules = new LiveRules(RuleSet.load(Path.of("weir.yaml")));
 * RuleFeed feed = RuleFeed.start(
 *     rules, Duration.ofSeconds(1), "redis", () -> redis.text("rules").toCompletableFuture().get());
 * }</pre>
 *
 * <p>The text is read at an interval; every instance that reaches its source has a new version
 * within one interval and the time of one read. While there is no text, or the source is away, the
 * rules stay as they are. A version with a fault is refused whole, once.
 */
public final class RuleFeed implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RuleFeed.class.getName());

  private final LiveRules rules;
  private final String name;
  private final Callable<Optional<String>> source;
  private final Poller looks = new Poller();
  private @Nullable String seen;
  private boolean away;

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
   * @param source asked on a thread of its own, and may wait; must answer whole versions
   */
  public static RuleFeed start(
      LiveRules rules, Duration interval, String name, Callable<Optional<String>> source) {
    RuleFeed feed = new RuleFeed(rules, name, source);
    feed.look();
    feed.looks.start(interval, feed::look);
    return feed;
  }

  @Override
  public void close() {
    looks.close();
  }

  /** One look at the source. */
  synchronized void look() {
    read().filter(text -> !text.equals(seen)).ifPresent(this::take);
  }

  private Optional<String> read() {
    try {
      Optional<String> text = source.call();
      away = false;
      return text;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (Exception failed) { // a Callable may throw anything, and none of it ends the feed
      if (!away) {
        LOG.log(System.Logger.Level.WARNING, name + " cannot be read, the rules stay", failed);
      }
      away = true;
      return Optional.empty();
    }
  }

  private void take(String text) {
    seen = text;
    try {
      rules.replace(RuleSet.parse(name, text));
    } catch (InvalidRulesException faults) {
      rules.refuse(faults);
    }
  }
}
