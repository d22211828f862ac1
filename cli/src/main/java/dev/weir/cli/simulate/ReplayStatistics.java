package dev.weir.cli.simulate;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Policy;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a replay adds up to. Not safe for many threads. */
final class ReplayStatistics {
  private final Timeline timeline = new Timeline();
  private final TopKeys denied = new TopKeys();
  private final TopKeys newlyDenied = new TopKeys();
  private final TopKeys newlyAllowed = new TopKeys();
  private final Map<List<Object>, LimitTally> limits = new LinkedHashMap<>();
  private final Map<Policy, LimitTally> known = new IdentityHashMap<>();
  private long requests;
  private long denials;
  private long unlimited;
  private long denialsAfter;
  private long nowDenied;
  private long nowAllowed;

  void add(long atMicros, Decision decision) {
    requests++;
    unlimited += decision.outcomes().isEmpty() ? 1 : 0;
    timeline.add(atMicros, decision.allowed());
    for (Outcome outcome : decision.outcomes()) {
      limit(outcome).add(atMicros, outcome);
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
  private LimitTally limit(Outcome outcome) {
    Policy policy = outcome.policy();
    if (outcome.claim().isBlocked()) {
      return named(policy);
    }
    LimitTally tally = known.get(policy);
    if (tally == null) {
      tally = named(policy);
      known.put(policy, tally);
    }
    return tally;
  }

  private LimitTally named(Policy policy) {
    List<Object> identity = List.of(policy.rule(), policy.name(), policy.limit(), policy.mode());
    return limits.computeIfAbsent(identity, id -> new LimitTally(policy));
  }

  long requests() {
    return requests;
  }

  long denials() {
    return denials;
  }

  /** Requests that no limit applied to. */
  long unlimited() {
    return unlimited;
  }

  Collection<LimitTally> limits() {
    return limits.values();
  }

  Timeline timeline() {
    return timeline;
  }

  TopKeys denied() {
    return denied;
  }

  TopKeys newlyDenied() {
    return newlyDenied;
  }

  TopKeys newlyAllowed() {
    return newlyAllowed;
  }

  long nowDenied() {
    return nowDenied;
  }

  long nowAllowed() {
    return nowAllowed;
  }

  long denialsAfter() {
    return denialsAfter;
  }
}
