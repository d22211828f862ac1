package dev.weir.server.service;

import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleListener;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the service is, as far as it knows. Safe for many threads. */
public final class Health implements RuleListener {
  private static final System.Logger LOG = System.getLogger(Health.class.getName());

  private final String store;
  private final StoreStatus guards;
  private final Supplier<List<String>> warnings;
  private final AtomicInteger ruleVersion = new AtomicInteger(1);
  private volatile boolean ready;
  private volatile @Nullable String refusedRules;

  /**
   * @param store its name for people, without a password
   * @param warnings what an operator should know about the store now
   */
  public Health(String store, StoreStatus guards, Supplier<List<String>> warnings) {
    this.store = store;
    this.guards = guards;
    this.warnings = warnings;
  }

  public String store() {
    return store;
  }

  public StoreStatus guards() {
    return guards;
  }

  public List<String> warnings() {
    return warnings.get();
  }

  /** Whether a balancer should send requests here. */
  public boolean ready() {
    return ready;
  }

  public void ready(boolean nowReady) {
    ready = nowReady;
  }

  /** Counted from 1. */
  public int ruleVersion() {
    return ruleVersion.get();
  }

  /** The faults of the latest rules, if they were refused. */
  public Optional<String> refusedRules() {
    return Optional.ofNullable(refusedRules);
  }

  @Override
  public void replaced(RuleSet rules) {
    refusedRules = null;
    LOG.log(
        System.Logger.Level.INFO,
        "rules version " + ruleVersion.incrementAndGet() + ": " + rules.names().size() + " rules");
  }

  @Override
  public void refused(InvalidRulesException why) {
    refusedRules = why.getMessage();
    LOG.log(
        System.Logger.Level.ERROR,
        "new rules were refused, those before stay in effect:\n" + why.getMessage());
  }
}
