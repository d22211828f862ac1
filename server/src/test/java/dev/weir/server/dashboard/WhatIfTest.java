package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The latest requests, decided again by a candidate of new rules. */
final class WhatIfTest {
  private static final RuleSet CURRENT = rules("user", 5);

  private final AtomicLong nowMillis = new AtomicLong(1_800_000_000_000L);
  private final RecentRequests recent = new RecentRequests(nowMillis::get);
  private final WhatIf whatIf = new WhatIf(recent);

  @Test
  void aLowerLimitNewlyDeniesAndSaysWhom() {
    ask("ann", 6);
    ask("bob", 2);
    WhatIf.Comparison result = whatIf.compare(CURRENT, rules("user", 2));
    assertThat(result.requests()).isEqualTo(8);
    assertThat(result.deniedNow()).isEqualTo(1);
    assertThat(result.deniedThen()).isEqualTo(4);
    assertThat(result.newlyDenied()).isEqualTo(3);
    assertThat(result.newlyAllowed()).isZero();
    assertThat(result.keys()).hasSize(1);
    assertThat(result.keys().get(0).key().key()).isEqualTo("ann");
    assertThat(result.keys().get(0).requests()).isEqualTo(3);
  }

  @Test
  void aHigherLimitNewlyAllows() {
    ask("ann", 8);
    assertThat(whatIf.compare(CURRENT, rules("user", 7)).newlyAllowed()).isEqualTo(2);
  }

  @Test
  void requestsAreDecidedAtTheTimesTheyCame() {
    ask("ann", 5);
    nowMillis.addAndGet(61_000);
    ask("ann", 5);
    WhatIf.Comparison result = whatIf.compare(CURRENT, CURRENT);
    assertThat(result.deniedNow()).isZero();
    assertThat(result.spanMillis()).isEqualTo(61_000);
  }

  @Test
  void attributesThatWereNotRememberedAreNamed() {
    ask("ann", 1);
    assertThat(whatIf.compare(CURRENT, rules("tenant", 5)).unknown()).containsExactly("tenant");
    assertThat(whatIf.compare(CURRENT, rules("ip", 5)).unknown()).isEmpty();
  }

  @Test
  void onlyTheLatestRequestsAreKeptAndNoneForLong() {
    ask("ann", 3 * RecentRequests.KEPT);
    assertThat(recent.all()).hasSize(RecentRequests.KEPT);
    nowMillis.addAndGet(RecentRequests.LONGEST_MILLIS + 1);
    assertThat(recent.all()).isEmpty();
  }

  @Test
  void longValuesAreCutAndStayApart() {
    recent.checked(CURRENT, Attributes.of(Map.of("user", "a".repeat(10_000))), 1);
    recent.checked(CURRENT, Attributes.of(Map.of("user", "a".repeat(10_001))), 1);
    assertThat(recent.all())
        .extracting(request -> request.attributes().get("user"))
        .doesNotHaveDuplicates()
        .allMatch(user -> user.length() < 150);
  }

  @Test
  void otherPathsOfARequestAreKeptUnlessTheyAreLong() {
    Map<String, String> values = Map.of("path", "/a");
    recent.checked(CURRENT, Attributes.of(values, List.of("/b")), 1);
    recent.checked(CURRENT, Attributes.of(values, List.of("/" + "b".repeat(10_000))), 1);
    assertThat(recent.all())
        .extracting(request -> request.attributes().otherPaths())
        .containsExactly(List.of("/b"), List.of());
  }

  private void ask(String user, int times) {
    for (int i = 0; i < times; i++) {
      recent.checked(CURRENT, Attributes.of(Map.of("user", user)), 1);
    }
  }

  private static RuleSet rules(String key, int limit) {
    return RuleSet.parse(
        "test",
        "rules: [{name: api, limits: [{name: each, key: %s, limit: %d per minute, algorithm: fixed-window}]}]"
            .formatted(key, limit));
  }
}
