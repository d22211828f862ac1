package dev.weir.server.service;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Receipt;
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

  public LimitService(Supplier<RuleSet> rules, AsyncRateLimiter limiter, AdminOverrides overrides) {
    this.rules = rules;
    this.limiter = limiter;
    this.overrides = overrides;
  }

  /** Decides, and takes the permits if it allows. */
  public CompletionStage<Decision> check(Attributes attributes, long permits) {
    return limiter.decide(claims(attributes, permits));
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
   * response is known.
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
    Receipt taken = ReceiptText.read(text, current.chargeableClaims(attributes, permits));
    return current
        .givenBack(taken, status)
        .map(back -> limiter.refund(back).thenApply(done -> back.claims()))
        .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
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

  /** A decision, and the explanation of the rules. */
  public record Explained(Decision decision, Explanation explanation) {}

  private List<Claim> claims(Attributes attributes, long permits) {
    return switched(rules.get().claims(attributes, permits));
  }

  private List<Claim> switched(List<Claim> claims) {
    return overrides.killed() ? List.of() : overrides.blocks().applyTo(claims);
  }
}
