package dev.weir.rules;

import static dev.weir.rules.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/rules.md, taken from the document and executed. */
final class DocumentTest {
  static final Path DOCUMENT = Path.of("..", "docs", "rules.md");

  private final ManualTime time = new ManualTime();
  private final RateLimiter limiter =
      RateLimiter.forClaims(MemoryStore.builder().time(time).build());

  @Test
  void everyExampleIsValid(@TempDir Path folder) throws IOException {
    List<String> examples = examples(Files.readString(DOCUMENT));
    assertThat(examples).hasSize(11);
    String overrides = examples.remove(2);
    Files.writeString(folder.resolve("tenants.yaml"), overrides);
    for (String example : examples) {
      RuleSet rules = RuleSet.load(Files.writeString(folder.resolve("weir.yaml"), example));
      assertThat(rules.names()).isNotEmpty();
    }
  }

  @Test
  void aGatewayHoldsSingleClientsBackAndAllTogether() throws IOException {
    RuleSet rules = example("Protect a gateway");
    assertThat(allowed(rules, 150, "ip=a", "path=/")).isEqualTo(100);
    time.advance(Duration.ofSeconds(1));
    assertThat(allowed(rules, 150, "ip=a", "path=/")).isEqualTo(50);
    assertThat(allowed(rules, 30, "ip=b", "path=/api/v1/search", "method=GET")).isEqualTo(20);
    time.advance(Duration.ofSeconds(10));
    int total = 0;
    for (int client = 0; client < 30; client++) {
      total += allowed(rules, 100, "ip=client-" + client, "path=/");
    }
    assertThat(total).isEqualTo(2000);
  }

  @Test
  void loginsAreThrottledPerUserWhateverTheAddress() throws IOException {
    RuleSet rules = example("Throttle logins per user");
    int passed = 0;
    for (int address = 0; address < 10; address++) {
      passed += allowed(rules, 1, "user=u", "ip=" + address, "path=/login", "method=POST");
    }
    assertThat(passed).isEqualTo(5);
    assertThat(allowed(rules, 1, "user=v", "path=/login", "method=POST")).isEqualTo(1);
    assertThat(allowed(rules, 9, "user=u", "path=/login", "method=GET")).isEqualTo(9);
    time.advance(Duration.ofMinutes(1));
    assertThat(allowed(rules, 10, "user=u", "path=/login", "method=POST")).isEqualTo(5);
  }

  @Test
  void addressesAreLimitedBlockedOrLeftAlone() throws IOException {
    RuleSet rules = example("Defend against single addresses");
    assertThat(allowed(rules, 200, "ip=203.0.113.5")).isEqualTo(100);
    assertThat(allowed(rules, 5, "ip=198.51.100.7")).isZero();
    assertThat(decide(rules, "ip=198.51.100.7").retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(allowed(rules, 300, "ip=192.0.2.10")).isEqualTo(300);
  }

  @Test
  void fairUseCountsWhatARequestCosts() throws IOException {
    time.set(Instant.parse("2026-11-14T12:00:00Z"));
    RuleSet rules = example("Fair use by cost");
    String[] large = {"tenant=t", "path=/v1/completions", "tokens=15000"};
    assertThat(decide(rules, large).allowed()).isTrue();
    assertThat(decide(rules, large).retryAfter()).isEqualTo(Duration.ofMinutes(1));
    assertThat(allowed(rules, 9, "tenant=t", "path=/v1/completions", "tokens=1000")).isEqualTo(5);
    for (int i = 0; i < 49; i++) {
      time.advance(Duration.ofMinutes(2));
      decide(rules, "tenant=t", "path=/v1/completions", "tokens=20000");
    }
    time.advance(Duration.ofMinutes(2));
    Decision denied = decide(rules, "tenant=t", "path=/v1/completions", "tokens=20000");
    Instant now = Instant.ofEpochSecond(time.nowMicros() / 1_000_000);
    assertThat(now.plus(denied.retryAfter())).isEqualTo("2026-11-30T23:00:00Z"); // in Berlin
  }

  @Test
  void aBudgetWarnsAndARequestReservesAShareOfIt() throws IOException {
    RuleSet rules = example("`warn-at` and `reserve-at-most`");
    String[] request = {"tenant=t", "path=/v1/chat/x", "tokens=250000"};
    for (int i = 0; i < 3; i++) {
      assertThat(decide(rules, request).outcomes().get(0).warning()).isFalse();
    }
    assertThat(decide(rules, request).outcomes().get(0).firstWarning()).isTrue();
    assertThat(decide(rules, "tenant=u", "path=/v1/chat/x", "tokens=250001").retryAfter())
        .isEqualTo(Decision.NEVER);
  }

  @Test
  void failedLoginsCountAndServedOnesAreGivenBack() throws IOException {
    RuleSet rules = example("`count` and `give-back`");
    String[] login = {"user=u", "ip=a", "path=/login", "method=POST"};
    for (int i = 0; i < 20; i++) {
      respond(rules, 200, login);
      respond(rules, 503, login);
    }
    for (int i = 0; i < 5; i++) {
      respond(rules, 401, login);
    }
    Decision denied = decide(rules, login);
    assertThat(denied.deniedBy().orElseThrow().policy().name()).isEqualTo("failed");
    assertThat(denied.outcomes().get(1).remaining()).isEqualTo(60 - 25);
  }

  private void respond(RuleSet rules, int status, String... attributes) {
    Decision decision = decide(rules, attributes);
    assertThat(decision.allowed()).isTrue();
    rules.givenBack(decision.receipt().orElseThrow(), status).ifPresent(limiter::refund);
  }

  @Test
  void whoKeepsKnockingIsBlockedForLongerEachTimeAndForgiven() throws IOException {
    RuleSet rules = example("`penalty`");
    String[] login = {"ip=a", "path=/login", "method=POST"};
    for (long minutes : new long[] {15, 30, 60}) {
      assertThat(allowed(rules, 14, login)).isEqualTo(10);
      Decision fifth = decide(rules, login);
      assertThat(fifth.source()).isEqualTo(Source.PENALTY);
      assertThat(fifth.retryAfter()).isEqualTo(Duration.ofMinutes(minutes));
      time.advance(fifth.retryAfter());
    }
    time.advance(Duration.ofDays(1)); // two steps are left, and a third is made
    assertThat(allowed(rules, 14, login)).isEqualTo(10);
    assertThat(decide(rules, login).retryAfter()).isEqualTo(Duration.ofMinutes(60));
    time.advance(Duration.ofDays(3));
    assertThat(allowed(rules, 14, login)).isEqualTo(10);
    assertThat(decide(rules, login).retryAfter()).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void plansHaveTheirOwnLimits() throws IOException {
    RuleSet rules = example("Plan tiers");
    assertThat(allowed(rules, 2000, "user=a", "path=/api/x", "plan=free")).isEqualTo(100);
    assertThat(allowed(rules, 2000, "user=b", "path=/api/x", "plan=premium")).isEqualTo(1000);
    assertThat(allowed(rules, 2000, "user=c", "path=/api/x")).isEqualTo(20);
    assertThat(allowed(rules, 2000, "user=a", "path=/static/x", "plan=free")).isEqualTo(2000);
  }

  private static RuleSet example(String title) throws IOException {
    String document = Files.readString(DOCUMENT);
    int section = document.indexOf("### " + title + "\n");
    assertThat(section).as(title).isPositive();
    return RuleSet.parse(title, examples(document.substring(section)).get(0));
  }

  static List<String> examples(String text) {
    Matcher blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(text);
    List<String> examples = new ArrayList<>();
    while (blocks.find()) {
      examples.add(blocks.group(1));
    }
    return examples;
  }

  private int allowed(RuleSet rules, int requests, String... attributes) {
    int allowed = 0;
    for (int i = 0; i < requests; i++) {
      allowed += decide(rules, attributes).allowed() ? 1 : 0;
    }
    return allowed;
  }

  private Decision decide(RuleSet rules, String... attributes) {
    return limiter.decide(rules.claims(request(attributes)));
  }
}
