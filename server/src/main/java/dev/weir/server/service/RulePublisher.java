package dev.weir.server.service;

import dev.weir.Mode;
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

  private static final System.Logger LOG = System.getLogger(RulePublisher.class.getName());
  private static final int ATTEMPTS = 50;

  /** Shared instead of rules that were withdrawn; no text at all means that Redis has lost it. */
  private static final String WITHDRAWN = "";

  private final LiveRules rules;
  private final RuleDestination destination;
  private volatile SoftReference<Rendered> rendered = new SoftReference<>(null);

  private RulePublisher(LiveRules rules, RuleDestination destination) {
    this.rules = rules;
    this.destination = destination;
  }

  /** Where rules are published. */
  private interface RuleDestination {
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
        new RuleDestination() {
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
  public static RulePublisher shared(LiveRules rules, FleetText text, Runnable refresh) {
    return new RulePublisher(
        rules,
        new RuleDestination() {
          @Override
          public void publish(RuleSet next, String yaml) {
            change(text, yaml);
            refresh.run();
          }

          @Override
          public void withdraw() {
            change(text, WITHDRAWN);
            refresh.run();
          }
        });
  }

  /**
   * Writes rules anew that Redis has lost, unless there are others meanwhile.
   *
   * @throws StoreUnavailableException if they cannot be written
   */
  public static void restore(FleetText text, String yaml) {
    if (text.swap(Optional.empty(), Optional.of(yaml))) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Redis has lost the shared rules; this instance has written them anew");
    }
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

  /** The limits of Envoy's domains, a line each; slow, so not to be called on an event loop. */
  public String currentDescriptors() {
    return rules.get().descriptors().toText();
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
    destination.publish(next, new String(yaml, StandardCharsets.UTF_8));
    return next;
  }

  /**
   * Changes the mode of one rule; the others stay as they are.
   *
   * @throws InvalidRequestException if there is no such rule
   * @throws InvalidRulesException if the rules are too large for one text; those in effect stay
   * @throws StoreUnavailableException as {@link #replace}
   */
  public RuleSet changeMode(String rule, Mode mode) {
    RuleSet next;
    try {
      next = rules.get().withMode(rule, mode);
    } catch (IllegalArgumentException unknown) {
      throw new InvalidRequestException(unknown.getMessage());
    }
    String yaml = next.toYaml();
    RuleSet.parse("rules", yaml); // rules of many files can be too long for one text
    destination.publish(next, yaml);
    return next;
  }

  /** The rules in effect. */
  public RuleSet current() {
    return rules.get();
  }

  /**
   * Returns to the rules of the files.
   *
   * @return the rules in effect now
   * @throws StoreUnavailableException as {@link #replace}
   */
  public RuleSet withdraw() {
    destination.withdraw();
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

  private static void change(FleetText text, String next) {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (text.swap(text.read(), Optional.of(next))) {
        return;
      }
    }
    throw new StoreUnavailableException("the shared rules change too often");
  }
}
