package dev.weir.server;

import dev.weir.redis.RedisStore;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleFeed;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RuleWatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where the rules come from, and keep coming from while the service runs. */
final class RuleSource implements AutoCloseable {
  private static final Duration FEED_INTERVAL = Duration.ofSeconds(1);
  private static final String SAMPLE = "sample.yaml";

  private final LiveRules rules;
  private final boolean sample;
  private final @Nullable RuleWatch watch;
  private @Nullable RuleFeed feed;

  private RuleSource(LiveRules rules, boolean sample, @Nullable RuleWatch watch) {
    this.rules = rules;
    this.sample = sample;
    this.watch = watch;
  }

  /**
   * @throws dev.weir.rules.InvalidRulesException if the files have a fault to begin with
   */
  static RuleSource open(ServerOptions options) {
    if (options.config().isEmpty()) {
      return new RuleSource(
          new LiveRules(RuleSet.parse(SAMPLE, resource())), /* sample= */ true, null);
    }
    RuleWatch watch = RuleWatch.start(options.config().toArray(Path[]::new));
    return new RuleSource(watch.rules(), /* sample= */ false, watch);
  }

  LiveRules rules() {
    return rules;
  }

  /** Whether nobody has said which rules to serve. */
  boolean isSample() {
    return sample;
  }

  /** From now on, follows what any instance on this Redis was given. */
  void follow(RedisStore redis, String name) {
    feed =
        RuleFeed.start(
            rules, FEED_INTERVAL, "redis", () -> redis.text(name).toCompletableFuture().get());
  }

  @Override
  public void close() {
    if (feed != null) {
      feed.close();
    }
    if (watch != null) {
      watch.close();
    }
  }

  private static String resource() {
    try (InputStream in = RuleSource.class.getResourceAsStream(SAMPLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
