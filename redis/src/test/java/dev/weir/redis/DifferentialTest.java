package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.redis.internal.script.OneCall;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Java and Lua agree on every decision: the same random traces through both stores, with the same
 * clock, give the same answers in every field. The long form is {@code mvn -B verify -pl redis -am
 * -Dtest=DifferentialTest -Dsurefire.failIfNoSpecifiedTests=false -Dweir.steps=1000000}.
 */
final class DifferentialTest {
  private static final int STEPS_PER_EPISODE = 1000;

  private final long seed = Long.getLong("weir.seed", 1);
  private final Random random = new Random(seed);
  private final int steps =
      Integer.getInteger("weir.steps", Boolean.getBoolean("weir.all-rounds") ? 30_000 : 12_000);

  private ManualTime time = new ManualTime();
  private String trail = "";
  private OneCall oneCall;
  private final List<Receipt> receipts = new ArrayList<>();

  @Test
  void memoryAndRedisGiveTheSameAnswers() {
    try (RedisProcess redis = RedisProcess.start()) {
      compare(redis.uri(), steps, true);
    }
    FaultReport.row("56 up to 200 claims in one decision", steps, "the answers of memory");
  }

  /**
   * Here a question's keys lie in several slots, and what one of them took may be given back.
   * Limits do not change: a give-back leaves a bucket without what a lowered capacity had hidden in
   * it.
   */
  @Test
  void memoryAndAClusterGiveTheSameAnswers() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      compare(cluster.uri(), steps / 3, false);
    }
  }

  @Test
  void memoryAndTheMasterOfSentinelsGiveTheSameAnswers() {
    try (RedisSentinels sentinels = RedisSentinels.start()) {
      compare(sentinels.uri(), steps / 6, true);
    }
  }

  private void compare(String uri, int count, boolean limitsChange) {
    System.out.println("seed " + seed + ", " + count + " steps");
    for (int done = 0; done < count; done += STEPS_PER_EPISODE) {
      episode(uri, done, limitsChange);
    }
  }

  private void episode(String uri, int done, boolean limitsChange) {
    time = new ManualTime();
    if (done % (5 * STEPS_PER_EPISODE) != 0) { // else it starts in 1970
      time.set(Instant.ofEpochSecond(random.nextLong(2_000_000_000L)));
    }
    receipts.clear();
    Traces traces = new Traces(random, "episode-" + done, limitsChange);
    try (LimitStore memory = MemoryStore.builder().time(time).build();
        LimitStore shared =
            RedisStore.builder(uri).timeout(Duration.ofSeconds(30)).clientTime(time).build();
        OneCall together = limitsChange ? oneCall(uri) : null) {
      oneCall = together; // a Cluster answers slot by slot
      List<Grant> grants = new ArrayList<>();
      for (int step = 0; step < STEPS_PER_EPISODE; step++) {
        time.advanceMicros(traces.stepMicros());
        trail = "seed " + seed + ", step " + (done + step);
        step(memory, shared, traces, grants);
      }
    }
  }

  private OneCall oneCall(String uri) {
    return new OneCall(
        RedisStore.builder(uri).timeout(Duration.ofSeconds(30)).settings(), time, time);
  }

  private void step(LimitStore memory, LimitStore shared, Traces traces, List<Grant> grants) {
    switch (random.nextInt(20)) {
      case 0 -> {
        var claims = traces.claims();
        await(memory.reset(claims));
        await(shared.reset(claims));
      }
      case 1 -> refund(memory, shared, Receipt.undated(traces.claims()));
      case 2 -> refund(memory, shared, some(grants));
      case 3 -> refund(memory, shared, absurd(traces, some(grants)));
      case 4 -> {
        if (oneCall != null) {
          decideTogether(memory, traces, grants);
        }
      }
      case 5 -> renew(memory, shared, some(grants));
      case 6 -> settle(memory, shared);
      case 7 -> repeat(memory, shared, traces.question(), traces, grants);
      default -> decide(memory, shared, traces.question(), grants);
    }
  }

  private void renew(LimitStore memory, LimitStore shared, Receipt receipt) {
    if (receipt != null && receipt.slots().isPresent()) {
      Receipt slots = receipt.slots().get();
      assertThat(await(shared.renew(slots)))
          .as("%s: renew %s", trail, slots)
          .isEqualTo(await(memory.renew(slots)));
    }
  }

  /** One decision, sometimes twice, and each time with the same costs. */
  private void settle(LimitStore memory, LimitStore shared) {
    if (receipts.isEmpty()) {
      return;
    }
    Receipt receipt = receipts.get(random.nextInt(receipts.size()));
    UUID holder = receipt.grants().get(0).holder().orElseThrow();
    Random ofDecision = new Random(holder.getLeastSignificantBits());
    List<Long> costs =
        receipt.claims().stream().map(claim -> cost(ofDecision, claim.permits())).toList();
    for (int times = random.nextInt(2); times >= 0; times--) {
      assertThat(await(shared.settle(receipt, costs)))
          .as("%s: settle %s with %s", trail, receipt, costs)
          .isEqualTo(await(memory.settle(receipt, costs)));
    }
  }

  private static long cost(Random random, long granted) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> granted;
      case 2 -> Long.MAX_VALUE;
      case 3 -> random.nextLong(1 + granted);
      default -> granted + random.nextInt(20);
    };
  }

  /** The same question twice: with a request id, the second gets the answer of the first. */
  private void repeat(
      LimitStore memory, LimitStore shared, Question question, Traces traces, List<Grant> grants) {
    decide(memory, shared, question, grants);
    time.advanceMicros(random.nextInt(3) == 0 ? traces.stepMicros() : 0);
    decide(memory, shared, traces.another(question), grants);
  }

  /** Some earlier grants in any order, also two of one state, at one time or at several. */
  private Receipt some(List<Grant> grants) {
    List<Grant> some = new ArrayList<>();
    for (int count = random.nextInt(4); count >= 0 && !grants.isEmpty(); count--) {
      Grant grant = grants.get(random.nextInt(grants.size()));
      boolean otherVersion =
          some.stream()
              .anyMatch(
                  known ->
                      known.claim().sameState(grant.claim())
                          && !known.claim().policy().equals(grant.claim().policy()));
      if (!otherVersion) {
        some.add(grant);
      }
    }
    return some.isEmpty() ? null : new Receipt(some);
  }

  private Receipt absurd(Traces traces, Receipt receipt) {
    return receipt == null
        ? null
        : Receipt.granted(receipt.claims(), traces.absurdTime(time.nowMicros()));
  }

  private void refund(LimitStore memory, LimitStore shared, Receipt receipt) {
    if (receipt != null) {
      assertThat(await(shared.refund(receipt)))
          .as("%s: refund %s", trail, receipt)
          .isEqualTo(await(memory.refund(receipt)));
    }
  }

  private void decide(LimitStore memory, LimitStore shared, Question question, List<Grant> grants) {
    compare(question, await(shared.decide(question)), await(memory.decide(question)), grants);
  }

  /** The kinds of batches; all but the first have scripts of their own. */
  private enum BatchKind {
    MIXED,
    SLOTS,
    SINGLE_CLAIMS,
    ACROSS_SLOTS,
    ONE_KEY_EACH
  }

  /** Questions that share a call, or are merged, each answered as if they had come one by one. */
  private void decideTogether(LimitStore memory, Traces traces, List<Grant> grants) {
    List<Question> questions = new ArrayList<>();
    BatchKind kind = BatchKind.values()[random.nextInt(BatchKind.values().length)];
    for (int count = random.nextInt(12); count >= 0 || questions.isEmpty(); count--) {
      int equal = random.nextInt(3) == 0 ? 1 + random.nextInt(random.nextInt(10) == 0 ? 80 : 9) : 1;
      Question question = traces.question();
      switch (kind) {
        case MIXED -> addMixed(question, equal, traces, questions);
        case SLOTS -> onSlots(question).map(traces::another).ifPresent(questions::add);
        case SINGLE_CLAIMS, ACROSS_SLOTS -> {
          List<Claim> numbers = onOneKey(question.claims());
          for (int copy = 0; copy < equal && !numbers.isEmpty(); copy++) {
            questions.add(new Question(question.operation(), numbers.subList(0, 1)));
          }
        }
        case ONE_KEY_EACH -> {
          List<Claim> numbers = onOneKey(question.claims());
          if (!numbers.isEmpty()) {
            questions.add(new Question(question.operation(), numbers));
          }
        }
      }
    }
    List<CompletableFuture<Verdicts>> answers =
        oneCall.decide(questions, kind == BatchKind.ACROSS_SLOTS);
    for (int i = 0; i < questions.size(); i++) {
      Question question = questions.get(i);
      compare(question, await(answers.get(i)), await(memory.decide(question)), grants);
    }
  }

  private void addMixed(Question asked, int equal, Traces traces, List<Question> questions) {
    List<Claim> plain = plain(asked.claims());
    Question question =
        !plain.isEmpty() && random.nextBoolean() ? new Question(asked.operation(), plain) : asked;
    for (int copy = 0; copy < equal; copy++) {
      questions.add(question.holder().isPresent() ? traces.another(question) : question);
    }
  }

  /** The claims on buckets and windows that share a state with the first of them. */
  private static List<Claim> onOneKey(List<Claim> claims) {
    List<Claim> numbers =
        plain(claims).stream()
            .filter(claim -> claim.policy().limit().algorithm() != Algorithm.SLIDING_LOG)
            .toList();
    return numbers.stream()
        .filter(claim -> claim.key().equals(numbers.get(0).key()))
        .filter(claim -> claim.policy().rule().equals(numbers.get(0).policy().rule()))
        .toList();
  }

  /** Its first claim on slots, if it takes some and has no answer to be repeated. */
  private static Optional<Question> onSlots(Question question) {
    if (question.operation() != Operation.ACQUIRE || question.requestId().isPresent()) {
      return Optional.empty();
    }
    return question.claims().stream()
        .filter(claim -> claim.policy().limit().algorithm() == Algorithm.IN_FLIGHT)
        .findFirst()
        .map(claim -> question.about(List.of(claim)));
  }

  /** Without slots, so that no holder is needed and equal questions are merged. */
  private static List<Claim> plain(List<Claim> claims) {
    return claims.stream()
        .filter(claim -> claim.policy().limit().algorithm() != Algorithm.IN_FLIGHT)
        .toList();
  }

  private void compare(Question question, Verdicts answer, Verdicts expected, List<Grant> grants) {
    assertThat(answer).as("%s: %s at %d", trail, question, time.nowMicros()).isEqualTo(expected);
    if (expected.allowed() && question.operation() == Operation.ACQUIRE && random.nextInt(4) == 0) {
      remember(question, expected, grants);
    }
  }

  private void remember(Question question, Verdicts granted, List<Grant> grants) {
    List<Grant> together = new ArrayList<>();
    for (int i = 0; i < granted.each().size(); i++) {
      Verdict verdict = granted.each().get(i);
      if (verdict.fits() && question.claims().get(i).permits() > 0) {
        OptionalLong at = OptionalLong.of(verdict.atMicros());
        Optional<UUID> holder = granted.repeatOf().or(question::holder);
        together.add(new Grant(question.claims().get(i), at, holder));
      }
    }
    if (!together.isEmpty() && together.get(0).holder().isPresent()) {
      receipts.add(new Receipt(together));
    }
    grants.addAll(together);
    while (receipts.size() > 20) {
      receipts.remove(0);
    }
    while (grants.size() > 40) {
      grants.remove(0);
    }
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
