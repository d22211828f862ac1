package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the contract cannot see over HTTP alone: keys of one limiter, two steps, proxies. */
final class HttpLimiterTest {
  private static final Request REQUEST = new Request("/a", "192.0.2.1", null, Map.of());

  private final LimitStore store = MemoryStore.builder().time(new ManualTime()).build();

  @Test
  void oneLimiterCountsByTheKeyOfItsResolver() {
    Request alice = new Request("/a?q=1", "192.0.2.1", "alice", Map.of("X-Key", List.of("k1")));
    Map<String, KeyResolver> resolvers =
        Map.of(
            "192.0.2.1", KeyResolver.address(),
            "alice", KeyResolver.user(),
            "k1", KeyResolver.header("x-key"),
            "/a", KeyResolver.path(),
            "blue", KeyResolver.attribute("colour"),
            "", KeyResolver.everybody());
    resolvers.forEach(
        (key, resolver) -> {
          HttpAnswer answer = answer(HttpLimiter.byKey(resolver, onePerMinute()).build(), alice);
          assertThat(answer.decision().orElseThrow().outcomes())
              .singleElement()
              .satisfies(outcome -> assertThat(outcome.claim().key()).isEqualTo(key));
        });
  }

  @Test
  void aRequestWithoutAKeyIsNotLimited() {
    HttpLimiter byUser = HttpLimiter.byKey(KeyResolver.user(), onePerMinute()).build();
    for (int i = 0; i < 3; i++) {
      HttpAnswer answer = answer(byUser, REQUEST);
      assertThat(answer.allowed()).isTrue();
      assertThat(answer.fields()).isEmpty();
      assertThat(answer.decision()).isEmpty();
    }
  }

  @Test
  void aRequestMayCostSeveralPermits() {
    HttpLimiter costly =
        HttpLimiter.byKey(KeyResolver.address(), request -> 3, onePerMinute()).build();
    assertThat(answer(costly, REQUEST).status()).isEqualTo(429);
  }

  @Test
  void theAddressBehindATrustedProxyIsTheKey() {
    HttpLimiter behind =
        HttpLimiter.byKey(KeyResolver.address(), onePerMinute())
            .clientAddress(ClientAddress.behind(List.of("192.0.2.1")))
            .build();
    for (String client : List.of("198.51.100.1", "198.51.100.2")) {
      Request forwarded =
          new Request("/a", "192.0.2.1", null, Map.of("X-Forwarded-For", List.of(client)));
      assertThat(answer(behind, forwarded).allowed()).isTrue();
      assertThat(answer(behind, forwarded).allowed()).isFalse();
    }
  }

  @Test
  void aSecondStepAsksOnlyForWhatTheFirstCouldNotKnow() {
    HttpLimiter limiter = byAddressAndUser();
    HttpAnswer first = answer(limiter, REQUEST);
    assertThat(first.fields()).containsEntry("RateLimit", "\"by-ip\";r=8;t=7");
    HttpAnswer second = further(limiter, REQUEST.by("alice"), first);
    assertThat(second.fields())
        .containsEntry("RateLimit", "\"by-ip\";r=8;t=7, \"by-user\";r=0;t=60")
        .containsEntry("RateLimit-Policy", "\"by-ip\";q=9;w=60, \"by-user\";q=1;w=60");
  }

  @Test
  void aDenialInTheSecondStepGivesBackWhatTheFirstTook() {
    HttpLimiter limiter = byAddressAndUser();
    further(limiter, REQUEST.by("alice"), answer(limiter, REQUEST));
    for (int i = 0; i < 3; i++) {
      HttpAnswer first = answer(limiter, REQUEST);
      assertThat(first.fields()).containsEntry("RateLimit", "\"by-ip\";r=7;t=14");
      assertThat(further(limiter, REQUEST.by("alice"), first).status()).isEqualTo(429);
    }
  }

  @Test
  void aSecondStepWithNothingToAskKeepsTheAnswer() {
    HttpLimiter limiter = byAddressAndUser();
    HttpAnswer first = answer(limiter, REQUEST);
    assertThat(further(limiter, REQUEST, first)).isSameAs(first);
  }

  @Test
  void aSecondStepOfOneLimiterCountsOnlyWhoHadNoKeyBefore() {
    HttpLimiter byAddress = HttpLimiter.byKey(KeyResolver.address(), onePerMinute()).build();
    HttpAnswer counted = answer(byAddress, REQUEST);
    assertThat(further(byAddress, REQUEST, counted)).isSameAs(counted);

    HttpLimiter byUser = HttpLimiter.byKey(KeyResolver.user(), onePerMinute()).build();
    HttpAnswer stranger = answer(byUser, REQUEST);
    assertThat(further(byUser, REQUEST.by("alice"), stranger).fields()).isNotEmpty();
  }

  private HttpLimiter byAddressAndUser() {
    RuleSet rules =
        RuleSet.parse(
            "test",
            """
            rules:
              - name: all
                limits:
                  - {name: by-ip, key: ip, limit: 9 per minute}
                  - {name: by-user, key: user, limit: 1 per minute}
            """);
    return HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build();
  }

  private RateLimiter onePerMinute() {
    return RateLimiter.of(Limit.tokenBucket(1, Duration.ofMinutes(1)));
  }

  private static HttpAnswer answer(HttpLimiter limiter, Request request) {
    return limiter.decide(request).toCompletableFuture().join();
  }

  private static HttpAnswer further(HttpLimiter limiter, Request request, HttpAnswer earlier) {
    return limiter.decideFurther(request, earlier).toCompletableFuture().join();
  }

  private record Request(
      String target, String peer, @Nullable String user, Map<String, List<String>> fields)
      implements IncomingRequest {
    Request by(String name) {
      return new Request(target, peer, name, fields);
    }

    @Override
    public String method() {
      return "GET";
    }

    @Override
    public List<String> headers(String name) {
      return fields.entrySet().stream()
          .filter(field -> field.getKey().equalsIgnoreCase(name))
          .flatMap(field -> field.getValue().stream())
          .toList();
    }

    @Override
    public @Nullable String attribute(String name) {
      return name.equals("colour") ? "blue" : null;
    }
  }
}
