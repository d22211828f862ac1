package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.script.OneCall;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Questions that wait while calls are under way share the next call. */
final class CoalescingTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private RedisProcess redis;
  private RedisStore store;

  @BeforeEach
  void start() {
    redis = SERVERS.redis();
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(10)).build();
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void manyQuestionsTakeFewCallsAndExactlyTheLimit() {
    RateLimiter limiter = limiter(Limit.fixedWindow(500, DAY), Limit.slidingLog(700, DAY));
    List<Decision> decisions = askAtOnce(limiter, i -> "key");
    assertThat(decisions).allMatch(decision -> decision.source() == Source.STORE);
    assertThat(decisions.stream().filter(Decision::allowed)).hasSize(500);
    assertThat(calls()).isLessThan(decisions.size() / 10);
    assertThat(limiter.peek("key").outcomes())
        .extracting(outcome -> outcome.remaining())
        .containsExactly(0L, 200L);
  }

  @Test
  void permitsGoToThoseWhoAskedFirst() {
    List<Decision> decisions = askAtOnce(limiter(Limit.fixedWindow(100, DAY)), i -> "key");
    assertThat(decisions.subList(0, 100)).allMatch(Decision::allowed);
    assertThat(decisions.subList(100, decisions.size())).noneMatch(Decision::allowed);
  }

  /** The server would be idle otherwise while callers, or their continuations, are running. */
  @Test
  void theNextCallReachesTheServerBeforeContinuationsOfTheLastOneRun() {
    Policy day = Policy.of("rule", "day", Limit.fixedWindow(500, DAY));
    long before = calls();
    redis.suspend();
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    try {
      for (String key : List.of("first", "second", "waits for an answer")) {
        Runnable threeCalls = () -> await().until(() -> calls() == before + 3);
        answers.add(
            store
                .decide(new Question(Operation.ACQUIRE, List.of(Claim.of(day, key))))
                .thenRun(threeCalls)
                .toCompletableFuture());
      }
    } finally {
      redis.resume();
    }
    assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(TEN_SECONDS));
  }

  @Test
  void everyQuestionOfACallIsToldWhatRemainedAfterItself() {
    ManualTime time = new ManualTime();
    Policy bucket = Policy.of("own", "bucket", Limit.tokenBucket(8, DAY));
    Policy log = Policy.of("own", "log", Limit.slidingLog(9, DAY));
    Question question =
        new Question(Operation.ACQUIRE, List.of(Claim.of(bucket, "key"), Claim.of(log, "key")));
    try (OneCall call = new OneCall(RedisStore.builder(redis.uri()).settings(), time, time)) {
      List<CompletableFuture<Verdicts>> answers = call.decide(Collections.nCopies(10, question));
      for (int i = 0; i < 10; i++) {
        Verdicts answer = answers.get(i).join();
        assertThat(answer.allowed()).isEqualTo(i < 8);
        assertThat(answer.each())
            .extracting(Verdict::remaining)
            .containsExactly((long) Math.max(0, 7 - i), (long) Math.max(1, 8 - i));
      }
    }
  }

  /** The script tells limits of a rule apart by 30 bits of their names. */
  @Test
  void aLimitThatTheScriptCouldNotTellFromAnotherIsRefusedToItsCallerAlone() {
    EncodedPolicyCache cache = new EncodedPolicyCache();
    Map<Integer, Policy> known = new HashMap<>();
    Policy second = null;
    for (int i = 0; second == null; i++) {
      Policy next = Policy.of("rule-" + i, "limit-" + i, Limit.fixedWindow(10, DAY));
      Policy first = known.putIfAbsent(cache.encode(next).identity, next);
      second = first == null ? null : next;
    }
    Policy first = known.get(new EncodedPolicyCache().encode(second).identity);
    Claim one = Claim.of(Policy.of("rule", first.name(), first.limit()), "key");
    Claim other = Claim.of(Policy.of("rule", second.name(), second.limit()), "key");
    RateLimiter limiter = RateLimiter.forClaims(store);
    assertThat(limiter.decide(List.of(one)).source()).isEqualTo(Source.STORE);
    assertThatThrownBy(() -> limiter.decide(List.of(other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have names with different hashes");
    assertThat(limiter.decide(List.of(one)).remaining()).isEqualTo(8);
  }

  @Test
  void aLoneCallerHasACallOfItsOwn() {
    RateLimiter limiter = limiter(Limit.fixedWindow(100, DAY));
    long before = calls();
    for (int i = 0; i < 20; i++) {
      limiter.decide("key");
    }
    assertThat(calls() - before).isEqualTo(20);
  }

  @Test
  void oneBadQuestionDoesNotHurtTheOthersOfItsCall() {
    RateLimiter limiter = limiter(Limit.fixedWindow(10_000, DAY));
    String bad =
        new KeyNames("default")
            .of(Claim.of(Policy.of("limiter", "limit-1", Limit.fixedWindow(1, DAY)), "bad"), false);
    redis.command("LPUSH", bad, "foreign");
    List<Decision> decisions = askAtOnce(limiter, i -> i % 10 == 0 ? "bad" : "good");
    for (int i = 0; i < decisions.size(); i++) {
      Source expected = i % 10 == 0 ? Source.FALLBACK : Source.STORE;
      assertThat(decisions.get(i).source()).isEqualTo(expected);
    }
    assertThat(limiter.peek("good").remaining()).isEqualTo(10_000 - 900);
    assertThat(redis.command("LLEN", bad)).isEqualTo(":1");
  }

  private List<Decision> askAtOnce(RateLimiter limiter, IntFunction<String> key) {
    List<CompletableFuture<Decision>> asked =
        IntStream.range(0, 1000)
            .mapToObj(i -> limiter.async().decide(key.apply(i)))
            .map(CompletionStage::toCompletableFuture)
            .toList();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  private RateLimiter limiter(Limit... limits) {
    RateLimiter.Builder builder = RateLimiter.builder().name("limiter").store(store);
    for (int i = 0; i < limits.length; i++) {
      builder.limit("limit-" + (i + 1), limits[i]);
    }
    return builder.build();
  }

  private long calls() {
    Matcher calls = CALLS.matcher(redis.command("INFO", "commandstats"));
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }
}
