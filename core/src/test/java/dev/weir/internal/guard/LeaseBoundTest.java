package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.model.AdmissionBound;
import dev.weir.model.AdmissionBound.Admission;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Instances with leases over one store, through a slow network that loses answers, never exceed the
 * bound of the limit over any interval: random loads, instances that stop and start, idle phases.
 */
final class LeaseBoundTest {
  private static final int STEP_MICROS = 400;
  private static final int RUNS = Integer.getInteger("weir.runs", 2);

  private final ManualTime time = new ManualTime();
  private final Random random = new Random(Long.getLong("weir.seed", 1));

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(3000, Duration.ofSeconds(1)),
        Limit.tokenBucket(700, Duration.ofSeconds(1)).withBurst(2000),
        Limit.tokenBucket(2000, Duration.ofSeconds(1)).withBurst(150),
        Limit.tokenBucket(500, Duration.ofMillis(333)).withBurst(777),
        Limit.fixedWindow(900, Duration.ofMillis(700)),
        Limit.slidingWindow(900, Duration.ofMillis(700)));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void holdsOverEveryInterval(Limit limit) {
    long admitted = 0;
    for (int run = 0; run < RUNS; run++) {
      time.set(Instant.parse("2026-11-01T10:00:00Z").plusSeconds(1000L * run));
      List<Admission> times = run(limit, run);
      admitted += times.size();
      assertThat(AdmissionBound.excess(limit, times)).as("%s, run %s", limit, run).isNotPositive();
    }
    assertThat(admitted).isGreaterThan(limit.capacity());
  }

  /** One instance, and what it is asked. */
  private final class Instance {
    final SlowStore network;
    LeaseStore leases;
    double perStep;

    Instance(SlowStore network) {
      this.network = network;
      restart();
    }

    /** What it held is lost, as by kill -9. */
    void restart() {
      leases = LeaseStore.swept(network, 1000, () -> time.nowMicros() * 1000, random::nextDouble);
    }
  }

  private List<Admission> run(Limit limit, int run) {
    Policy policy =
        Policy.of("rule-" + run, "limit", limit)
            .onStoreFailure(FailurePolicy.DENY)
            .withLease(Duration.ofMillis(50 << run % 4));
    Question question = new Question(Operation.ACQUIRE, List.of(Claim.of(policy, "key")));
    List<Admission> admitted = new ArrayList<>();
    try (MemoryStore memory = MemoryStore.builder().time(time).build()) {
      List<Instance> instances = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        instances.add(new Instance(new SlowStore(memory, time, random, 5_000, 0.02 * (run % 3))));
      }
      for (int step = 0; step < 2_000; step++) {
        for (Instance instance : instances) {
          instance.network.run();
          if (step % 100 == 0) {
            change(instance);
          }
          if (random.nextDouble() < instance.perStep) {
            ask(instance, question, admitted);
          }
        }
        time.advanceMicros(random.nextInt(2 * STEP_MICROS));
      }
    }
    return admitted;
  }

  private void change(Instance instance) {
    instance.leases.sweep();
    switch (random.nextInt(12)) {
      case 0 -> instance.restart();
      case 1 -> instance.perStep = 0;
      case 2 -> instance.perStep = random.nextDouble();
      case 3 -> instance.perStep = 3;
      default -> {}
    }
  }

  /** Several requests at one instant, if the load is that high. */
  private void ask(Instance instance, Question question, List<Admission> admitted) {
    int requests = Math.max(1, (int) instance.perStep);
    long before = time.nowMicros();
    for (int i = 0; i < requests; i++) {
      instance
          .leases
          .decide(question)
          .thenAccept(
              verdicts -> {
                if (verdicts.allowed()) {
                  admitted.add(new Admission(before, time.nowMicros()));
                }
              });
    }
  }
}
