package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A limiter that is asked with claims alone, as rules do. */
final class ClaimsAloneTest {
  private final Policy policy =
      Policy.of("rule", "name", Limit.tokenBucket(2, Duration.ofMinutes(1)));
  private final MemoryStore store = MemoryStore.create();
  private final RateLimiter limiter = RateLimiter.forClaims(store);

  @Test
  void aRequestWithoutClaimsIsAllowed() {
    Decision decision = limiter.decide(List.of());
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.outcomes()).isEmpty();
    assertThat(decision.receipt()).isEmpty();
    assertThat(limiter.peek(List.of()).retryAfter()).isZero();
  }

  @Test
  void claimsAreDecidedAsAlways() {
    List<Claim> claims = List.of(Claim.of(policy, "key"));
    assertThat(limiter.decide(claims).remaining()).isEqualTo(1);
    assertThat(limiter.decide(claims).remaining()).isZero();
    assertThat(limiter.decide(claims).allowed()).isFalse();
  }

  @Test
  void aKeyAloneIsNoQuestion() {
    assertThatThrownBy(() -> limiter.decide("key"))
        .hasMessage("this limiter has no limits of its own: ask it with claims");
  }

  @Test
  void aBlockedClaimNeverFitsAndTakesNothing() {
    Claim blocked = Claim.blocked(policy, "key");
    Decision decision = limiter.decide(List.of(blocked));
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(blocked.isBlocked()).isTrue();
    assertThat(blocked.policy().onStoreFailure()).isEqualTo(FailurePolicy.DENY);
    assertThat(store.keys()).isZero();
  }
}
