package dev.weir.internal.penalty;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Source;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Applies the penalties of policies to the answers of a store. Safe for many threads.
 *
 * <p>A claim with a penalty is sent together with a second claim, which does not fit while the key
 * is blocked. So the block is part of the same atomic step. The two verdicts become one. If the
 * limit denied the claim, {@link DenialCounter} counts the denial. Questions without penalties go
 * straight to the store.
 */
public final class PenaltyStore extends ForwardingLimitStore {
  private static final int MAX_CACHED = 10_000;

  private final ConcurrentHashMap<Policy, PenaltyPolicies> cache = new ConcurrentHashMap<>();
  private final DenialCounter denials;

  public PenaltyStore(LimitStore store) {
    super(store);
    this.denials = new DenialCounter(store);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (question.operation() == Operation.CHARGE || !hasPenalty(question.claims())) {
      return store().decide(question);
    }
    return store()
        .decide(withBlocks(question))
        .thenCompose(verdicts -> applied(question, verdicts));
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    return store().forget(hasPenalty(question.claims()) ? withBlocks(question) : question);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return store()
        .reset(
            hasPenalty(claims) ? Stream.concat(claims.stream(), beside(claims)).toList() : claims);
  }

  /** Ends the blocks of these keys and forgets their growth. */
  public CompletionStage<Void> lift(List<Claim> claims) {
    List<Claim> beside = beside(claims).toList();
    return beside.isEmpty() ? CompletableFuture.completedFuture(null) : store().reset(beside);
  }

  private static boolean hasPenalty(List<Claim> claims) {
    for (Claim claim : claims) {
      if (claim.policy().penalty().isPresent()) {
        return true;
      }
    }
    return false;
  }

  private Stream<Claim> beside(List<Claim> claims) {
    return claims.stream()
        .filter(claim -> claim.policy().penalty().isPresent())
        .flatMap(claim -> of(claim.policy()).all(claim.key()).stream());
  }

  /** The same question with one more claim at the end for each claim with a penalty. */
  private Question withBlocks(Question question) {
    List<Claim> claims = new ArrayList<>(question.claims());
    for (Claim claim : question.claims()) {
      if (claim.policy().penalty().isPresent()) {
        claims.add(of(claim.policy()).notBlocked(claim.key()));
      }
    }
    return question.about(claims);
  }

  private CompletionStage<Verdicts> applied(Question question, Verdicts verdicts) {
    List<Claim> claims = question.claims();
    boolean counts = question.operation() == Operation.ACQUIRE && verdicts.repeatOf().isEmpty();
    List<CompletableFuture<Verdict>> each = new ArrayList<>(claims.size());
    int block = claims.size();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Verdict verdict = verdicts.each().get(i);
      CompletableFuture<Verdict> applied = CompletableFuture.completedFuture(verdict);
      if (claim.policy().penalty().isPresent()) {
        Verdict blocked = verdicts.each().get(block++);
        if (!blocked.fits() && !blocked.isFailure()) {
          applied = CompletableFuture.completedFuture(PenaltyVerdict.of(verdict, blocked));
        } else if (counts && isDenial(claim, verdict)) {
          applied = denials.count(of(claim.policy()), claim.key(), verdict);
        }
      }
      each.add(applied);
    }
    return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
        .thenApply(done -> joined(verdicts, each));
  }

  /** Whether the state of the limit denied, and not a failure policy or an administrator. */
  private static boolean isDenial(Claim claim, Verdict verdict) {
    return !verdict.fits()
        && !verdict.isFailure()
        && verdict.source() != Source.FALLBACK
        && claim.permits() > 0
        && !claim.isBlocked();
  }

  private static Verdicts joined(Verdicts verdicts, List<CompletableFuture<Verdict>> each) {
    return new Verdicts(
        verdicts.allowed(),
        each.stream().map(CompletableFuture::join).toList(),
        verdicts.repeatOf());
  }

  private PenaltyPolicies of(Policy policy) {
    PenaltyPolicies known = cache.get(policy);
    if (known == null) {
      if (cache.size() >= MAX_CACHED) {
        cache.clear();
      }
      known = cache.computeIfAbsent(policy, PenaltyPolicies::of);
    }
    return known;
  }
}
