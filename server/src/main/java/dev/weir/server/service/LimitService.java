package dev.weir.server.service;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Receipt;
import dev.weir.RequestId;
import dev.weir.rules.Attributes;
import dev.weir.rules.Explanation;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Answers requests by the rules in effect, the blocks and the kill switch. Safe for many threads;
 * never blocks.
 *
 * <p>Every call reads the rules once, and is answered by that one version.
 */
public final class LimitService {
  private final Supplier<RuleSet> rules;
  private final AsyncRateLimiter limiter;
  private final AdminOverrides overrides;
  private final CheckObserver observer;
  private final ReceiptSeal seal;

  public LimitService(
      Supplier<RuleSet> rules,
      AsyncRateLimiter limiter,
      AdminOverrides overrides,
      CheckObserver observer,
      ReceiptSeal seal) {
    this.rules = rules;
    this.limiter = limiter;
    this.overrides = overrides;
    this.observer = observer;
    this.seal = seal;
  }

  /** Sees every request that is checked, before it is decided; must be quick. */
  public interface CheckObserver {
    void checked(RuleSet rules, Attributes attributes, long permits);
  }

  /** Decides, and takes the permits if it allows. */
  public CompletionStage<Decision> check(Attributes attributes, long permits) {
    RuleSet current = rules.get();
    observer.checked(current, attributes, permits);
    return limiter.decide(switched(current.claims(attributes, permits)));
  }

  /** Decides, and takes the permits if it allows: once, however often it is asked with this id. */
  public CompletionStage<Decision> check(Attributes attributes, long permits, RequestId id) {
    return limiter.decide(claims(attributes, permits), id);
  }

  /** A receipt as the calls that come after a check take it. */
  public String text(Receipt receipt) {
    return ReceiptText.write(receipt, seal);
  }

  /**
   * Releases the slots that a decision took.
   *
   * @return the claims on limits of requests in flight
   * @throws InvalidRequestException if the receipt is not of these attributes
   */
  public CompletionStage<List<Claim>> release(Attributes attributes, String receipt) {
    Receipt given = granted(attributes, receipt);
    return limiter.release(given).thenApply(done -> slots(given));
  }

  /** Slots that were to be renewed, and whether all of them were still held. */
  public record Renewal(boolean renewed, List<Claim> slots) {}

  /**
   * Keeps the slots of a decision for another hold.
   *
   * @throws InvalidRequestException if the receipt is not of these attributes
   */
  public CompletionStage<Renewal> renew(Attributes attributes, String receipt) {
    Receipt given = granted(attributes, receipt);
    return limiter.renew(given).thenApply(held -> new Renewal(held, slots(given)));
  }

  /**
   * Corrects what a decision took to what it cost, once.
   *
   * @param permits what it cost, for limits whose cost is no attribute; 0 cancels the decision
   * @return the claims that were settled
   * @throws InvalidRequestException if the receipt is not of these attributes
   */
  public CompletionStage<List<Claim>> settle(Attributes attributes, long permits, String receipt) {
    List<Claim> costs = rules.get().chargeableClaims(attributes, permits);
    Receipt given = ReceiptText.readSealed(receipt, costs, seal);
    List<Claim> charged = permits > 0 ? costs : atNoCost(costs);
    return limiter.settle(given, charged).thenApply(done -> given.claims());
  }

  private Receipt granted(Attributes attributes, String receipt) {
    return ReceiptText.readGranted(receipt, rules.get().chargeableClaims(attributes, 1));
  }

  private static List<Claim> slots(Receipt receipt) {
    return receipt.slots().map(Receipt::claims).orElse(List.of());
  }

  /** Decides, and takes nothing. */
  public CompletionStage<Decision> peek(Attributes attributes, long permits) {
    return limiter.peek(claims(attributes, permits));
  }

  /** Takes the permits whether they are there or not. */
  public CompletionStage<Decision> charge(Attributes attributes, long permits) {
    return limiter.charge(
        overrides.killed() ? List.of() : rules.get().chargeableClaims(attributes, permits));
  }

  /**
   * Gives permits back.
   *
   * @param receipt of the decision that took them, which makes it exact
   * @return the claims that were given to
   * @throws InvalidRequestException if the receipt is not of these attributes
   */
  public CompletionStage<List<Claim>> refund(
      Attributes attributes, long permits, Optional<String> receipt) {
    List<Claim> claims = rules.get().chargeableClaims(attributes, permits);
    if (claims.isEmpty()) {
      return CompletableFuture.completedFuture(claims);
    }
    Receipt given =
        receipt
            .map(text -> ReceiptText.read(text, claims))
            .orElseGet(() -> Receipt.undated(claims));
    return limiter.refund(given).thenApply(done -> given.claims());
  }

  /**
   * Gives back what limits with {@code count} or {@code give-back} do not count, now that the
   * response is known: once, however often it is reported, and not if the receipt was settled.
   *
   * @param receipt of the decision that allowed the request
   * @return the claims that were given to
   * @throws InvalidRequestException if there is no receipt, or it is not of these attributes
   */
  public CompletionStage<List<Claim>> responded(
      Attributes attributes, long permits, Optional<String> receipt, int status) {
    String text =
        receipt.orElseThrow(
            () -> new InvalidRequestException("receipt must be given: the one of /v1/check"));
    RuleSet current = rules.get();
    Receipt taken =
        ReceiptText.readSealed(text, current.chargeableClaims(attributes, permits), seal);
    return current
        .givenBack(taken, status)
        .map(back -> settledAtNoCost(taken, back.claims()).thenApply(done -> back.claims()))
        .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
  }

  /**
   * The other claims stay as they were taken. A store settles a receipt as a whole, and once, so
   * this and {@link #settle} cannot both give the same permits back.
   */
  private CompletionStage<Void> settledAtNoCost(Receipt taken, List<Claim> back) {
    return limiter.settle(taken, atNoCost(back));
  }

  private static List<Claim> atNoCost(List<Claim> claims) {
    return claims.stream().map(claim -> new Claim(claim.policy(), claim.key(), 0)).toList();
  }

  /**
   * Forgets what the keys of a request have used.
   *
   * @param limit the name of the limits to forget it in; all that apply, if empty
   * @return the claims whose keys were forgotten
   */
  public CompletionStage<List<Claim>> reset(Attributes attributes, Optional<String> limit) {
    List<Claim> claims = named(attributes, limit);
    return claims.isEmpty()
        ? CompletableFuture.completedFuture(claims)
        : limiter.reset(claims).thenApply(done -> claims);
  }

  /** The claims of a request on the limits of one name, or on all. */
  public List<Claim> named(Attributes attributes, Optional<String> limit) {
    return rules.get().claims(attributes, 0).stream()
        .filter(claim -> limit.isEmpty() || limit.get().equals(claim.policy().name()))
        .toList();
  }

  /** What every rule makes of a request, with the state of its limits; takes nothing. */
  public CompletionStage<Explained> explain(Attributes attributes, long permits) {
    RuleSet current = rules.get();
    Explanation explanation = current.explain(attributes);
    return limiter
        .peek(switched(current.claims(attributes, permits)))
        .thenApply(decision -> new Explained(decision, explanation));
  }

  /** What every rule makes of a request, without the state of its limits. */
  public Explanation explanation(Attributes attributes) {
    return rules.get().explain(attributes);
  }

  /** The state of each claim by itself, blocks considered; takes nothing. */
  public CompletionStage<List<Decision>> states(List<Claim> claims) {
    List<CompletableFuture<Decision>> asked =
        overrides.blocks().applyTo(claims).stream()
            .map(claim -> limiter.peek(List.of(claim)).toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
  }

  /** Forgets what the keys of these claims have used. */
  public CompletionStage<Void> forget(List<Claim> claims) {
    return limiter.reset(claims);
  }

  /** Ends blocks that penalties have put on the keys of these claims; what was used stays used. */
  public CompletionStage<Void> liftPenalties(List<Claim> claims) {
    return limiter.liftPenalties(claims);
  }

  /** A decision, and the explanation of the rules. */
  public record Explained(Decision decision, Explanation explanation) {}

  private List<Claim> claims(Attributes attributes, long permits) {
    return switched(rules.get().claims(attributes, permits));
  }

  private List<Claim> switched(List<Claim> claims) {
    return overrides.killed() ? List.of() : overrides.blocks().applyTo(claims);
  }
}
