package dev.weir.server.dashboard;

import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Outcome;
import dev.weir.RateLimiter;
import dev.weir.rules.Attributes;
import dev.weir.rules.InvalidAttributeException;
import dev.weir.rules.RuleSet;
import dev.weir.server.dashboard.RecentRequests.CheckedRequest;
import dev.weir.server.service.BlockedKeys;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a candidate of new rules would have made of the latest requests: these are decided again, at
 * the times they came, by the rules in effect and by the candidate, each in a store of its own that
 * starts fresh. Slow, so not to be called on an event loop.
 */
public final class WhatIf {
  private static final int MAX_KEYS = 20;

  private final RecentRequests recent;

  public WhatIf(RecentRequests recent) {
    this.recent = recent;
  }

  /**
   * The comparison.
   *
   * @param requests how many were decided again, over so many milliseconds
   * @param deniedNow by the rules in effect; {@code deniedThen} by the candidate
   * @param newlyDenied denied by the candidate alone; {@code newlyAllowed} by the rules in effect
   *     alone
   * @param keys whom the candidate newly denies most
   * @param unknown attributes that the candidate looks at and that were not remembered
   */
  public record Comparison(
      int requests,
      long spanMillis,
      int deniedNow,
      int deniedThen,
      int newlyDenied,
      int newlyAllowed,
      List<NewlyDeniedKey> keys,
      List<String> unknown) {}

  /** A key that a candidate denies and the rules in effect do not. */
  public record NewlyDeniedKey(BlockedKeys.Key key, int requests) {}

  public Comparison compare(RuleSet current, RuleSet candidate) {
    List<CheckedRequest> requests = recent.all();
    Replayed now = new Replayed(current);
    Replayed then = new Replayed(candidate);
    Map<BlockedKeys.Key, Integer> newlyDenied = new HashMap<>();
    int deniedNow = 0;
    int deniedThen = 0;
    int denied = 0;
    int allowed = 0;
    for (CheckedRequest request : requests) {
      boolean before = now.decide(request).allowed();
      Decision after = then.decide(request);
      deniedNow += before ? 0 : 1;
      deniedThen += after.allowed() ? 0 : 1;
      allowed += !before && after.allowed() ? 1 : 0;
      if (before && !after.allowed()) {
        denied++;
        for (Outcome outcome : after.denying()) {
          newlyDenied.merge(BlockedKeys.Key.of(outcome.claim()), 1, Integer::sum);
        }
      }
    }
    return new Comparison(
        requests.size(),
        span(requests),
        deniedNow,
        deniedThen,
        denied,
        allowed,
        most(newlyDenied),
        unknown(candidate));
  }

  private static long span(List<CheckedRequest> requests) {
    return requests.isEmpty()
        ? 0
        : requests.get(requests.size() - 1).atMillis() - requests.get(0).atMillis();
  }

  private static List<NewlyDeniedKey> most(Map<BlockedKeys.Key, Integer> counts) {
    return counts.entrySet().stream()
        .map(entry -> new NewlyDeniedKey(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingInt(NewlyDeniedKey::requests).reversed())
        .limit(MAX_KEYS)
        .toList();
  }

  private List<String> unknown(RuleSet candidate) {
    return new TreeSet<>(candidate.attributes())
        .stream().filter(name -> !recent.remembers(name)).toList();
  }

  /** One set of rules with a store and a clock of its own. */
  private static final class Replayed {
    private final RuleSet rules;
    private final ManualTime time = new ManualTime();
    private final RateLimiter limiter;

    Replayed(RuleSet rules) {
      this.rules = rules;
      this.limiter =
          RateLimiter.forClaims(MemoryStore.builder().time(time).maxKeys(100_000).build());
    }

    Decision decide(CheckedRequest request) {
      time.set(Instant.ofEpochMilli(request.atMillis()));
      Attributes attributes = request.attributes();
      try {
        return limiter.decide(rules.claims(attributes, request.permits()));
      } catch (InvalidAttributeException refused) { // the service has refused it, too
        return Decision.combined(true, List.of());
      }
    }
  }
}
