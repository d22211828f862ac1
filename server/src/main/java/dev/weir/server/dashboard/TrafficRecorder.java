package dev.weir.server.dashboard;

import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.Source;
import dev.weir.server.dashboard.LimitTraffic.LimitMinute;
import dev.weir.spi.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts decisions for the dashboard, whether a page is open or not, so that a page that is opened
 * during an incident shows how it began. Safe for many threads.
 *
 * <p>A decision adds to a few counters; once a second they are moved into rings of fixed size.
 * Peeks are not counted.
 */
public final class TrafficRecorder implements DecisionListener {
  /** Further limits are counted in the totals alone. */
  private static final int MAX_LIMITS = 1000;

  private static final int IDLE_SECONDS = 600;

  private final LongSupplier nowMillis;
  private final LongAdder[] counts = new LongAdder[TrafficKind.COUNT];
  private final Map<Policy, LimitTraffic> limits = new ConcurrentHashMap<>();
  private final TrafficHistory history;
  private final BusyKeys busy;

  public TrafficRecorder(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
    for (int kind = 0; kind < counts.length; kind++) {
      counts[kind] = new LongAdder();
    }
    history = new TrafficHistory(nowMillis.getAsLong() / 1000);
    busy = new BusyKeys(nowMillis);
  }

  public TrafficHistory history() {
    return history;
  }

  public BusyKeys busy() {
    return busy;
  }

  @Override
  public void decided(Operation operation, Decision decision) {
    if (operation == Operation.PEEK) {
      return;
    }
    boolean fallback = false;
    boolean shadowDenied = false;
    List<Outcome> outcomes = decision.outcomes();
    for (int i = 0; i < outcomes.size(); i++) { // no iterator: this runs for every request
      Outcome outcome = outcomes.get(i);
      fallback |= outcome.source() == Source.FALLBACK;
      shadowDenied |= outcome.policy().shadow() && !outcome.allowed();
      LimitTraffic traffic = traffic(outcome.policy());
      if (traffic != null) {
        traffic.count(operation, outcome);
      }
      busy.count(outcome.claim());
    }
    count(decision.allowed() ? TrafficKind.ALLOWED : TrafficKind.DENIED);
    if (fallback) {
      count(TrafficKind.FALLBACK);
    }
    if (shadowDenied && decision.allowed()) {
      count(TrafficKind.SHADOW_DENIED);
    }
  }

  private void count(TrafficKind kind) {
    counts[kind.ordinal()].increment();
  }

  private LimitTraffic traffic(Policy policy) {
    LimitTraffic known = limits.get(policy);
    if (known != null || limits.size() >= MAX_LIMITS) {
      return known;
    }
    return limits.computeIfAbsent(policy, LimitTraffic::new);
  }

  /** Closes a second; to be called once a second. */
  public void tick() {
    long[] sums = new long[counts.length];
    for (int kind = 0; kind < sums.length; kind++) {
      sums[kind] = counts[kind].sumThenReset();
    }
    history.add(nowMillis.getAsLong() / 1000, sums);
    limits.values().forEach(LimitTraffic::tick);
    limits.values().removeIf(traffic -> traffic.idleSeconds() > IDLE_SECONDS);
    busy.tick();
  }

  /** The limits that were asked lately: those that deny most first, then the busiest. */
  List<LimitMinute> limits(int most) {
    return limits.values().stream()
        .map(LimitTraffic::view)
        .sorted(
            Comparator.comparingLong(LimitMinute::denials)
                .thenComparingLong(LimitMinute::requests)
                .reversed()
                .thenComparing(view -> view.policy().rule() + "/" + view.policy().name()))
        .limit(most)
        .toList();
  }

  /** How many limits were asked lately. */
  int limitCount() {
    return limits.size();
  }

  /** The policies that were asked lately. */
  public List<Policy> policies() {
    return List.copyOf(limits.keySet());
  }
}
