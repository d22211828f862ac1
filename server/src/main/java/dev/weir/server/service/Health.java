package dev.weir.server.service;

import dev.weir.StoreStatus;
import dev.weir.rules.RuleStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The health of the service, and the reasons if it is degraded. Safe for many threads. */
public final class Health {
  private static final System.Logger LOG = System.getLogger(Health.class.getName());

  private final String storeName;
  private final StoreStatus store;
  private final RuleStatus rules;
  private final SharedAdminOverrides overrides;
  private final Supplier<List<String>> warnings;
  private volatile ServingPhase phase = ServingPhase.STARTING;
  private @Nullable HealthState logged;

  /** The one-word answer to a probe. */
  public enum HealthState {
    STARTING,
    UP,
    DEGRADED,
    DRAINING
  }

  private enum ServingPhase {
    STARTING,
    READY,
    DRAINING
  }

  /**
   * @param storeName for people, without a password
   * @param warnings what an operator should know about the store now
   */
  public Health(
      String storeName,
      StoreStatus store,
      RuleStatus rules,
      SharedAdminOverrides overrides,
      Supplier<List<String>> warnings) {
    this.storeName = storeName;
    this.store = store;
    this.rules = rules;
    this.overrides = overrides;
    this.warnings = warnings;
  }

  public String storeName() {
    return storeName;
  }

  public StoreStatus store() {
    return store;
  }

  public RuleStatus rules() {
    return rules;
  }

  public boolean killed() {
    return overrides.here().killed();
  }

  /** Whether a balancer should send requests here. */
  public boolean ready() {
    return phase == ServingPhase.READY;
  }

  /** Whether it will stop, so that connections are not kept. */
  public boolean draining() {
    return phase == ServingPhase.DRAINING;
  }

  public void ready(boolean nowReady) {
    if (nowReady) {
      phase = ServingPhase.READY;
    } else if (phase == ServingPhase.READY) {
      phase = ServingPhase.DRAINING;
    }
  }

  public HealthState state() {
    if (!ready()) {
      return draining() ? HealthState.DRAINING : HealthState.STARTING;
    }
    return reasons().isEmpty() ? HealthState.UP : HealthState.DEGRADED;
  }

  /** Why it is degraded, for anybody: without contents of rules. Empty if it is not. */
  public List<String> reasons() {
    List<String> reasons = new ArrayList<>(store.faults());
    if (killed()) {
      reasons.add("the kill switch is on");
    }
    int unpublished = overrides.unpublished();
    if (unpublished > 0) {
      reasons.add(
          unpublished + " changes by administrators wait until Redis answers, to be published");
    }
    rules.refusal().ifPresent(refused -> reasons.add("new rules were refused at " + refused.at()));
    reasons.addAll(warnings.get());
    return reasons;
  }

  public List<String> warnings() {
    return warnings.get();
  }

  /** Logs a change of the status since the last call; to be called about once a second. */
  public synchronized void logChange() {
    HealthState now = state();
    if (now == logged) {
      return;
    }
    if (now == HealthState.DEGRADED) {
      LOG.log(System.Logger.Level.WARNING, "degraded: " + String.join("; ", unlogged()));
    } else if (now == HealthState.UP && logged == HealthState.DEGRADED) {
      LOG.log(System.Logger.Level.INFO, "up again: nothing is degraded any more");
    }
    logged = now;
  }

  /** Warnings of the store are in its own log; they are repeated only if nothing else is wrong. */
  private List<String> unlogged() {
    List<String> all = reasons();
    List<String> others = new ArrayList<>(all);
    others.removeAll(warnings.get());
    return others.isEmpty() ? all : others;
  }
}
