package dev.weir.internal.memory;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.RequestId;
import dev.weir.TimeSource;
import dev.weir.internal.Grants;
import dev.weir.internal.Grants.Origin;
import dev.weir.internal.Micros;
import dev.weir.internal.QuestionName;
import dev.weir.internal.Settlements;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * All states of a memory store, and the atomic step over several of them.
 *
 * <p>A question locks the states of all its claims, in the same order on all threads, so that no
 * deadlock is possible. Then it decides, takes the permits, and releases the states.
 */
public final class StateTables {
  /** The cache of bound policies is cleared when it holds this many versions of policies. */
  private static final int MAX_BOUND_POLICIES = 100_000;

  private static final Comparator<LockedClaim> LOCK_ORDER =
      Comparator.comparing((LockedClaim locked) -> locked.claim.policy().rule())
          .thenComparing(locked -> locked.claim.policy().name())
          .thenComparing(locked -> locked.claim.key());

  private final ConcurrentHashMap<TableName, StateTable> tables = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Policy, BoundPolicy> boundPolicies = new ConcurrentHashMap<>();
  private final TimeSource time;
  private final KeyEvictor evictor;
  private final RememberedAnswers answers = new RememberedAnswers();

  public StateTables(long maxKeys, long maxBytes, TimeSource time) {
    this.time = time;
    this.evictor = new KeyEvictor(new MemoryBudget(maxKeys, maxBytes), tables.values());
  }

  /**
   * Logs and slots have states of their own: a limit that is changed to or from one of them starts
   * afresh.
   */
  private record TableName(String rule, String name, Meter.Form form) {}

  public Verdicts decide(Question question) {
    if (question.requestId().isEmpty()) {
      return decideNow(question);
    }
    RequestId id = question.requestId().get();
    return answers.answer(
        name(question, id),
        question.holder().orElseThrow(),
        time.nowMicros(),
        Micros.of(id.remembered()),
        () -> decideNow(question));
  }

  private static String name(Question question, RequestId id) {
    return QuestionName.ofDecision(question.operation(), question.claims(), id.text());
  }

  /** Forgets the answer to a question with a request id. */
  public void forget(Question question) {
    question.requestId().ifPresent(id -> answers.forget(name(question, id)));
  }

  private Verdicts decideNow(Question question) {
    Operation operation = question.operation();
    List<LockedClaim> lockedClaims = holdAll(question.claims(), operation == Operation.PEEK);
    long now = time.nowMicros(); // read while locked: no later time is in any state
    try {
      boolean allowed = true;
      for (LockedClaim locked : lockedClaims) {
        locked.open(now);
        locked.weigh(operation, now);
        allowed &= !locked.denies();
      }
      if (allowed) {
        lockedClaims.forEach(locked -> locked.take(operation, now, question.holder()));
      }
      return answer(lockedClaims, allowed, now);
    } finally {
      lockedClaims.forEach(locked -> locked.release(now));
    }
  }

  /** Decides as {@link #decide} would for this many equal questions in a row, at one instant. */
  public LeaseAnswer lease(Question question, int times) {
    List<LockedClaim> lockedClaims = holdAll(question.claims(), false);
    long now = time.nowMicros();
    try {
      long granted = times;
      for (LockedClaim locked : lockedClaims) {
        locked.open(now);
        locked.weigh(Operation.ACQUIRE, now);
        granted = Math.min(granted, mostTimes(locked, now));
      }
      for (LockedClaim locked : lockedClaims) {
        locked.takeRepeatedly(granted, now);
      }
      boolean all = granted == times;
      lockedClaims.forEach(locked -> locked.weighNext(all, now));
      return new LeaseAnswer((int) granted, answer(lockedClaims, all, now));
    } finally {
      lockedClaims.forEach(locked -> locked.release(now));
    }
  }

  /** How often the claim fits: 0 if it cannot be answered, no bound if it is not enforced. */
  private static long mostTimes(LockedClaim locked, long now) {
    if (locked.failed()) {
      return 0;
    }
    return locked.claim.policy().enforced() ? locked.fitting(now) : Long.MAX_VALUE;
  }

  /** An action on the grant at one index of a receipt, while its state is held. */
  private interface GrantStep {
    void apply(LockedClaim locked, long now, Origin origin, int index);
  }

  /** Refunds the grants of each decision in one atomic step, one decision after the other. */
  public Verdicts refund(Receipt receipt) {
    return eachDecision(
        receipt.grants(),
        (origin, places) ->
            step(
                receipt.grants(),
                origin,
                places,
                (locked, now, from, index) -> locked.refund(now, from, locked.claim.permits())));
  }

  /** Keeps slots for another hold; returns per grant whether its holder still had them. */
  public List<Boolean> renew(Receipt slots) {
    Boolean[] renewed = new Boolean[slots.grants().size()];
    eachDecision(
        slots.grants(),
        (origin, places) ->
            step(
                slots.grants(),
                origin,
                places,
                (locked, now, from, index) ->
                    renewed[index] = from.holder().map(h -> locked.renew(now, h)).orElse(false)));
    return List.of(renewed);
  }

  /** Corrects what decisions took to what they cost, once. */
  public Verdicts settle(Receipt receipt, List<Long> costs) {
    List<Grant> grants = receipt.grants();
    GrantStep settle = (locked, now, from, index) -> locked.settle(now, from, costs.get(index));
    return eachDecision(
        grants,
        (origin, places) -> {
          UUID holder = origin.holder().orElseThrow(Settlements::withoutHolder);
          return answers.answer(
              QuestionName.ofSettlement(holder, Grants.claimsAt(grants, places)),
              holder,
              time.nowMicros(),
              Settlements.REMEMBERED_MICROS,
              () -> step(grants, origin, places, settle));
        });
  }

  private static Verdicts eachDecision(
      List<Grant> grants, BiFunction<Origin, List<Integer>, Verdicts> steps) {
    Verdict[] each = new Verdict[grants.size()];
    Set<Optional<UUID>> repeatOf = new HashSet<>();
    Grants.placesByOrigin(grants)
        .forEach(
            (origin, places) -> {
              Verdicts verdicts = steps.apply(origin, places);
              repeatOf.add(verdicts.repeatOf());
              for (int i = 0; i < places.size(); i++) {
                each[places.get(i)] = verdicts.each().get(i);
              }
            });
    return new Verdicts(
        true, List.of(each), repeatOf.size() == 1 ? repeatOf.iterator().next() : Optional.empty());
  }

  private Verdicts step(List<Grant> grants, Origin origin, List<Integer> places, GrantStep step) {
    List<LockedClaim> lockedClaims = holdAll(Grants.claimsAt(grants, places), false);
    long now = time.nowMicros();
    try {
      for (int i = 0; i < places.size(); i++) {
        LockedClaim locked = lockedClaims.get(i);
        locked.open(now);
        step.apply(locked, now, origin, places.get(i));
      }
      return answer(lockedClaims, true, now);
    } finally {
      lockedClaims.forEach(locked -> locked.release(now));
    }
  }

  public void reset(List<Claim> claims) {
    evictor.checkOpen();
    for (Claim claim : claims) {
      StateTable table = bind(claim.policy()).table;
      LockedState state = table.find(claim.key());
      if (state != null && state.hold()) {
        table.drop(claim.key(), state);
      }
    }
  }

  public SingleLimitFastPath fastPath(Policy policy) {
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

  /** The bounds, as text for people. */
  public String bounds() {
    return evictor.budget().toString();
  }

  /** A warning while the store is full. */
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
      List<LockedClaim> lockedClaims = new ArrayList<>(claims.size());
      for (Claim claim : claims) {
        boolean reads = readsOnly || claim.permits() == 0;
        lockedClaims.add(new LockedClaim(claim, bind(claim.policy()), reads));
      }
      inOrder(lockedClaims).forEach(locked -> locked.hold(now));
      if (areConsistent(lockedClaims)) {
        return lockedClaims;
      }
      lockedClaims.forEach(locked -> locked.release(now));
    }
  }

  /** Whether keys that had no state, and so are not locked, still have none. */
  private static boolean areConsistent(List<LockedClaim> lockedClaims) {
    return lockedClaims.size() == 1
        || lockedClaims.stream().allMatch(LockedClaim::isLockedOrStillAbsent);
  }

  private static List<LockedClaim> inOrder(List<LockedClaim> lockedClaims) {
    return lockedClaims.size() == 1
        ? lockedClaims
        : lockedClaims.stream().sorted(LOCK_ORDER).toList();
  }

  private static Verdicts answer(List<LockedClaim> lockedClaims, boolean allowed, long now) {
    List<Verdict> verdicts = new ArrayList<>(lockedClaims.size());
    for (LockedClaim locked : lockedClaims) {
      verdicts.add(locked.verdict(now));
    }
    return new Verdicts(allowed, verdicts);
  }

  private BoundPolicy bind(Policy policy) {
    BoundPolicy bound = boundPolicies.get(policy);
    if (bound == null) {
      if (boundPolicies.size() >= MAX_BOUND_POLICIES) {
        boundPolicies.clear();
      }
      bound = boundPolicies.computeIfAbsent(policy, this::newBoundPolicy);
    }
    return bound;
  }

  private BoundPolicy newBoundPolicy(Policy policy) {
    Meter meter = Meter.of(policy.limit());
    TableName name = new TableName(policy.rule(), policy.name(), meter.form());
    return new BoundPolicy(
        tables.computeIfAbsent(name, n -> new StateTable(evictor)), meter, evictor, time);
  }
}
