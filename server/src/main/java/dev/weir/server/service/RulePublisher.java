package dev.weir.server.service;

import dev.weir.redis.RedisStore;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Shows the rules in effect, and puts others into effect. Safe for many threads. */
public final class RulePublisher {
  /** What the rules are called in the Redis that instances share. */
  public static final String SHARED_NAME = "rules";

  private final LiveRules rules;
  private final Optional<RedisStore> shared;
  private volatile SoftReference<Rendered> rendered = new SoftReference<>(null);

  /** Written once, however often it is shown. */
  private record Rendered(RuleSet rules, byte[] yaml) {}

  /**
   * @param shared where all instances read their rules; without it, only this one changes
   */
  public RulePublisher(LiveRules rules, Optional<RedisStore> shared) {
    this.rules = rules;
    this.shared = shared;
  }

  /** The rules in effect as YAML in UTF-8; takes its time, so not on an event loop. */
  public byte[] currentYaml() {
    RuleSet current = rules.get();
    Rendered last = rendered.get();
    if (last == null || last.rules != current) {
      last = new Rendered(current, current.toYaml().getBytes(StandardCharsets.UTF_8));
      rendered = new SoftReference<>(last);
    }
    return last.yaml;
  }

  /**
   * Reads new rules; takes its time, so not on an event loop.
   *
   * @throws InvalidRulesException with every fault; the rules in effect stay
   */
  public RuleSet read(byte[] yaml) {
    try {
      return RuleSet.parse("rules", yaml);
    } catch (InvalidRulesException faults) {
      rules.refuse(faults);
      throw faults;
    }
  }

  /**
   * Replaces all rules, at once and whole.
   *
   * @param yaml what {@code next} was read from
   * @return fails, and changes nothing, if instances share their rules and cannot be reached
   */
  public CompletionStage<RuleSet> replace(RuleSet next, String yaml) {
    CompletionStage<Void> told =
        shared
            .map(redis -> redis.putText(SHARED_NAME, yaml))
            .orElseGet(() -> CompletableFuture.completedFuture(null));
    return told.thenApply(
        done -> {
          rules.replace(next);
          return next;
        });
  }
}
