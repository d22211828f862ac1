package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Shows the rules in effect, and replaces them: on this instance, or on all that share their rules.
 * Safe for many threads. Calls that change rules are slow and must not run on an event loop.
 */
public final class RulePublisher {
  /** The name of the rules in the Redis that instances share. */
  public static final String SHARED_NAME = "rules";

  private static final int ATTEMPTS = 50;

  private final LiveRules rules;
  private final Target target;
  private volatile SoftReference<Rendered> rendered = new SoftReference<>(null);

  private RulePublisher(LiveRules rules, Target target) {
    this.rules = rules;
    this.target = target;
  }

  /** Where rules are published. */
  private interface Target {
    void publish(RuleSet next, String yaml);

    void withdraw();
  }

  /** Written once, however often it is shown. */
  private record Rendered(RuleSet rules, byte[] yaml) {}

  /**
   * @param initial the rules to return to
   */
  public static RulePublisher ofOneInstance(LiveRules rules, Supplier<RuleSet> initial) {
    return new RulePublisher(
        rules,
        new Target() {
          @Override
          public void publish(RuleSet next, String yaml) {
            rules.replace(next);
          }

          @Override
          public void withdraw() {
            rules.replace(initial.get());
          }
        });
  }

  /**
   * @param refresh makes this instance read the shared rules at once
   */
  public static RulePublisher shared(LiveRules rules, SharedText text, Runnable refresh) {
    return new RulePublisher(
        rules,
        new Target() {
          @Override
          public void publish(RuleSet next, String yaml) {
            change(text, Optional.of(yaml));
            refresh.run();
          }

          @Override
          public void withdraw() {
            change(text, Optional.empty());
            refresh.run();
          }
        });
  }

  /** The rules in effect as YAML in UTF-8; slow, so not to be called on an event loop. */
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
   * Replaces all rules, at once and whole.
   *
   * @return the new rules
   * @throws InvalidRulesException with the faults; the rules in effect stay
   * @throws StoreUnavailableException if instances share their rules and the text that holds them
   *     cannot be changed; the rules in effect stay
   */
  public RuleSet replace(byte[] yaml) {
    RuleSet next = read(yaml);
    target.publish(next, new String(yaml, StandardCharsets.UTF_8));
    return next;
  }

  /**
   * Returns to the rules of the files.
   *
   * @return the rules in effect now
   * @throws StoreUnavailableException as {@link #replace}
   */
  public RuleSet withdraw() {
    target.withdraw();
    return rules.get();
  }

  private RuleSet read(byte[] yaml) {
    try {
      return RuleSet.parse("rules", yaml);
    } catch (InvalidRulesException faults) {
      rules.refuse(faults);
      throw faults;
    }
  }

  private static void change(SharedText text, Optional<String> next) {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (text.swap(text.read(), next)) {
        return;
      }
    }
    throw new StoreUnavailableException("the shared rules change too often");
  }
}
