package dev.weir.internal.memory;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.TimeSource;
import dev.weir.internal.Grants;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All records of a memory store, and the atomic step over several of them.
 *
 * <p>A question holds the records of all its claims, in one order for all threads so that nobody
 * waits in a circle, then decides, takes, and releases them.
 */
public final class StateTables {
  /** Bindings are a cache: beyond this many versions of policies it starts again. */
  private static final int MAX_BINDINGS = 100_000;

  private static final Comparator<LockedClaim> HOLDING_ORDER =
      Comparator.comparing((LockedClaim holding) -> holding.claim.policy().rule())
          .thenComparing(holding -> holding.claim.policy().name())
          .thenComparing(holding -> holding.claim.key());

  private final ConcurrentHashMap<TableName, StateTable> tables = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Policy, BoundPolicy> bindings = new ConcurrentHashMap<>();
  private final TimeSource time;
  private final KeyEvictor evictor;

  public StateTables(long maxKeys, long maxBytes, TimeSource time) {
    this.time = time;
    this.evictor = new KeyEvictor(new MemoryBudget(maxKeys, maxBytes), tables.values());
  }

  /** A log keeps other records than the rest: a limit that becomes one starts anew. */
  private record TableName(String rule, String name, boolean ofLog) {}

  public Verdicts decide(Question question) {
    Operation operation = question.operation();
    List<LockedClaim> holdings = holdAll(question.claims(), operation == Operation.PEEK);
    long now = time.nowMicros(); // read while holding: no later time is in any record
    try {
      boolean allowed = true;
      for (LockedClaim holding : holdings) {
        holding.open(now);
        holding.weigh(operation, now);
        allowed &= !holding.denies();
      }
      if (allowed) {
        holdings.forEach(holding -> holding.take(operation, now));
      }
      return answer(holdings, allowed, now);
    } finally {
      holdings.forEach(holding -> holding.release(now));
    }
  }

  /** Grants of one time are one step; those of different times follow each other. */
  public Verdicts refund(Receipt receipt) {
    List<Grant> grants = receipt.grants();
    Verdict[] each = new Verdict[grants.size()];
    Grants.placesByTime(grants)
        .forEach(
            (at, places) -> {
              List<Verdict> verdicts = refund(Grants.claimsAt(grants, places), at).each();
              for (int i = 0; i < places.size(); i++) {
                each[places.get(i)] = verdicts.get(i);
              }
            });
    return new Verdicts(true, List.of(each));
  }

  private Verdicts refund(List<Claim> claims, OptionalLong grantedAt) {
    List<LockedClaim> holdings = holdAll(claims, false);
    long now = time.nowMicros();
    try {
      for (LockedClaim holding : holdings) {
        holding.open(now);
        holding.refund(now, grantedAt);
      }
      return answer(holdings, true, now);
    } finally {
      holdings.forEach(holding -> holding.release(now));
    }
  }

  public void reset(List<Claim> claims) {
    evictor.checkOpen();
    for (Claim claim : claims) {
      StateTable table = bind(claim.policy()).table;
      LockedState record = table.find(claim.key());
      if (record != null && record.hold()) {
        table.drop(claim.key(), record);
      }
    }
  }

  public SingleLimitFastPath direct(Policy policy) {
    return bind(policy);
  }

  public long count() {
    return evictor.count();
  }

  /** The part of the room that is taken; slightly above 1 where policies use their reserve. */
  public double fill() {
    return evictor.budget().fill();
  }

  /** Partly used keys that were dropped for others since the start. */
  public long forgottenKeys() {
    return evictor.pressure().forgottenKeys();
  }

  /** New keys that found no room since the start. */
  public long refusedKeys() {
    return evictor.pressure().refusedKeys();
  }

  /** The most that is kept, for people. */
  public String bounds() {
    return evictor.budget().toString();
  }

  /** That the store is full, while it is. */
  public Optional<String> warning() {
    return evictor.pressure().warning();
  }

  /** Forgets everything; any use after that is refused. */
  public void close() {
    evictor.close();
    tables.values().forEach(StateTable::clear);
  }

  private List<LockedClaim> holdAll(List<Claim> claims, boolean readsOnly) {
    evictor.checkOpen();
    long now = time.nowMicros();
    evictor.tick(now);
    while (true) {
      List<LockedClaim> holdings = new ArrayList<>(claims.size());
      for (Claim claim : claims) {
        boolean reads = readsOnly || claim.permits() == 0;
        holdings.add(new LockedClaim(claim, bind(claim.policy()), reads));
      }
      inOrder(holdings).forEach(holding -> holding.hold(now));
      if (areOfOneInstant(holdings)) {
        return holdings;
      }
      holdings.forEach(holding -> holding.release(now));
    }
  }

  /** Whether keys that were found without a record, and so are not held, still have none. */
  private static boolean areOfOneInstant(List<LockedClaim> holdings) {
    return holdings.size() == 1 || holdings.stream().allMatch(LockedClaim::isStillTrue);
  }

  private static List<LockedClaim> inOrder(List<LockedClaim> holdings) {
    return holdings.size() == 1 ? holdings : holdings.stream().sorted(HOLDING_ORDER).toList();
  }

  private static Verdicts answer(List<LockedClaim> holdings, boolean allowed, long now) {
    List<Verdict> verdicts = new ArrayList<>(holdings.size());
    for (LockedClaim holding : holdings) {
      verdicts.add(holding.verdict(now));
    }
    return new Verdicts(allowed, verdicts);
  }

  private BoundPolicy bind(Policy policy) {
    BoundPolicy binding = bindings.get(policy);
    if (binding == null) {
      if (bindings.size() >= MAX_BINDINGS) {
        bindings.clear();
      }
      binding = bindings.computeIfAbsent(policy, this::newBinding);
    }
    return binding;
  }

  private BoundPolicy newBinding(Policy policy) {
    Meter meter = Meter.of(policy.limit());
    TableName name = new TableName(policy.rule(), policy.name(), meter.keepsLog());
    return new BoundPolicy(
        tables.computeIfAbsent(name, n -> new StateTable(evictor)), meter, evictor, time);
  }
}
