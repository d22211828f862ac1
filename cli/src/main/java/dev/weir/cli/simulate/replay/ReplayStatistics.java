package dev.weir.cli.simulate.replay;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.cli.console.HumanFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The totals of a replay. Not safe for many threads. */
public final class ReplayStatistics {
  private final TrafficHistogram timeline = new TrafficHistogram();
  private final TopKeys denied = new TopKeys();
  private final TopKeys newlyDenied = new TopKeys();
  private final TopKeys newlyAllowed = new TopKeys();
  private final Map<List<Object>, LimitStatistics> limits = new LinkedHashMap<>();
  private final Map<Policy, LimitStatistics> known = new IdentityHashMap<>();
  private long requests;
  private long denials;
  private long unlimited;
  private long denialsAfter;
  private long nowDenied;
  private long nowAllowed;

  void add(long atMicros, Decision decision) {
    add(atMicros, decision, claim -> true);
  }

  /**
   * @param counted whether a limit counts the response to the request
   */
  void add(long atMicros, Decision decision, Predicate<Claim> counted) {
    requests++;
    unlimited += decision.outcomes().isEmpty() ? 1 : 0;
    timeline.add(atMicros, decision.allowed());
    for (Outcome outcome : decision.outcomes()) {
      limit(outcome).add(atMicros, outcome, counted.test(outcome.claim()));
    }
    if (!decision.allowed()) {
      denials++;
      count(atMicros, decision, denied);
    }
  }

  /** How other rules would have decided the same request. */
  void compare(long atMicros, Decision before, Decision after) {
    denialsAfter += after.allowed() ? 0 : 1;
    if (before.allowed() && !after.allowed()) {
      nowDenied++;
      count(atMicros, after, newlyDenied);
    } else if (after.allowed() && !before.allowed()) {
      nowAllowed++;
      count(atMicros, before, newlyAllowed);
    }
  }

  private static void count(long atMicros, Decision denial, TopKeys keys) {
    denial
        .deniedBy()
        .ifPresent(
            by ->
                keys.add(
                    atMicros, by.policy().rule() + "/" + by.policy().name(), by.claim().key()));
  }

  /** The policies of rules stay the same objects; that of a blocked key is made for each claim. */
  private LimitStatistics limit(Outcome outcome) {
    Policy policy = outcome.policy();
    if (outcome.claim().isBlocked()) {
      return named(policy);
    }
    LimitStatistics statistics = known.get(policy);
    if (statistics == null) {
      statistics = named(policy);
      known.put(policy, statistics);
    }
    return statistics;
  }

  private LimitStatistics named(Policy policy) {
    List<Object> identity = List.of(policy.rule(), policy.name(), policy.limit(), policy.mode());
    return limits.computeIfAbsent(identity, id -> new LimitStatistics(policy));
  }

  /** What was not counted exactly, because there were too many keys; empty for nearly every log. */
  public List<String> inexact() {
    List<String> notes = new ArrayList<>();
    for (LimitStatistics limit : limits.values()) {
      if (limit.foldedEarly() > 0) {
        notes.add(
            "The advice for "
                + limit.name()
                + " is approximate: more than "
                + HumanFormat.count(PeakDemand.MAX_KEYS)
                + " keys were in use at once, and "
                + HumanFormat.count(limit.foldedEarly())
                + " count as new if they came back.");
      }
    }
    if (denied.capped() || newlyDenied.capped() || newlyAllowed.capped()) {
      notes.add("Counts of single keys may be too low: rare keys were forgotten among many.");
    }
    return notes;
  }

  public long requests() {
    return requests;
  }

  public long denials() {
    return denials;
  }

  /** Requests that no limit applied to. */
  public long unlimited() {
    return unlimited;
  }

  public Collection<LimitStatistics> limits() {
    return limits.values();
  }

  public TrafficHistogram timeline() {
    return timeline;
  }

  public TopKeys denied() {
    return denied;
  }

  public TopKeys newlyDenied() {
    return newlyDenied;
  }

  public TopKeys newlyAllowed() {
    return newlyAllowed;
  }

  public long nowDenied() {
    return nowDenied;
  }

  public long nowAllowed() {
    return nowAllowed;
  }

  public long denialsAfter() {
    return denialsAfter;
  }
}
