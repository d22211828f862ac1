package dev.weir.rules;

import static dev.weir.rules.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits that count only some responses. */
final class ResponseRulesTest {
  private static final RuleSet RULES =
      RuleSet.parse(
          "rules",
          """
          rules:
            - name: login
              limits:
                - {name: failed, key: ip, limit: 2 per minute, count: {status: [401, 403]}}
                - {name: served, key: ip, limit: 100 per minute, give-back: {status: 500-599}}
                - {name: all, key: ip, limit: 100 per minute}
          """);

  private final ManualTime time = new ManualTime();
  private final RateLimiter limiter =
      RateLimiter.forClaims(MemoryStore.builder().time(time).build());

  @Test
  void onlyResponsesThatCountStayTaken() {
    for (int i = 0; i < 5; i++) {
      assertThat(respond(decide(), 200)).containsExactly("failed");
    }
    assertThat(respond(decide(), 401)).isEmpty();
    assertThat(respond(decide(), 503)).containsExactly("failed", "served");
    assertThat(respond(decide(), 403)).isEmpty();
    assertThat(decide().deniedBy().orElseThrow().policy().name()).isEqualTo("failed");
    time.advance(Duration.ofSeconds(30));
    assertThat(decide().allowed()).isTrue();
  }

  /** A reservation counts until the response is known, so no burst of tries slips through. */
  @Test
  void concurrentTriesAreBoundedByTheLimit() {
    List<Decision> inFlight = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      inFlight.add(decide());
    }
    assertThat(inFlight.stream().filter(Decision::allowed)).hasSize(2);
    respond(inFlight.get(0), 200);
    assertThat(decide().allowed()).isTrue();
    assertThat(decide().allowed()).isFalse();
  }

  @Test
  void rulesSayWhetherResponsesMatter() {
    assertThat(RULES.looksAtResponses()).isTrue();
    assertThat(RuleSet.empty().looksAtResponses()).isFalse();
    assertThat(RuleSet.empty().givenBack(decide().receipt().orElseThrow(), 200)).isEmpty();
  }

  @Test
  void theTextHasThemAgain() {
    assertThat(RULES.toYaml())
        .contains("        count:\n          status: [\"401\", \"403\"]\n")
        .contains("        give-back:\n          status: \"500-599\"\n");
    assertThat(RuleSet.parse("again", RULES.toYaml()).toYaml()).isEqualTo(RULES.toYaml());
  }

  @Test
  void anExplanationSaysWhatCounts() {
    assertThat(RULES.explain(request("ip=a")).rules().get(0).limits())
        .extracting(Explanation.LimitView::reason)
        .containsExactly(
            "2 per minute, counts responses 401, 403",
            "100 per minute, gives back for responses 500-599",
            "100 per minute");
  }

  private Decision decide() {
    return limiter.decide(RULES.claims(request("ip=a")));
  }

  /** The limits that gave back. */
  private List<String> respond(Decision decision, int status) {
    return RULES
        .givenBack(decision.receipt().orElseThrow(), status)
        .map(
            (Receipt back) -> {
              limiter.refund(back);
              return back.claims().stream().map(claim -> claim.policy().name()).toList();
            })
        .orElse(List.of());
  }
}
