package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.internal.guard.ControllableStore.Behaviour;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 48: how a store is charged what was used without it. */
@Tag("slow")
@Timeout(60)
final class LocalUseChargerTest {
  private static final Policy TEN =
      Policy.of("r", "ten", Limit.fixedWindow(10, Duration.ofDays(1)))
          .onStoreFailure(FailurePolicy.LOCAL);

  private final RecordingListener listener = new RecordingListener();
  private final MemoryStore memory = MemoryStore.create();
  private final ControllableStore asked =
      new ControllableStore(memory) {
        @Override
        public void close() {} // the memory is looked at afterwards
      };
  private final HeldStore charged = new HeldStore(memory);
  private LocalFallbackStore fallback = fallback(charged);

  @AfterEach
  void close() {
    charged.holds = operation -> false;
    fallback.close();
  }

  @Test
  void anInstanceWithoutTrafficChargesAllTheSame() {
    useLocally("key", 3);
    listener.await("fallback", "no fallback");
    assertThat(remaining("key")).isEqualTo(7);
  }

  @Test
  void aFewClaimsAreChargedAtATimeAndEachOutcomeIsAwaited() {
    charged.holds = operation -> operation == Operation.CHARGE;
    asked.behaviour = Behaviour.FAILS;
    IntStream.range(0, 200).forEach(i -> limiter().decide("key-" + i));
    int charges = 0;
    int claims = 0;
    while (claims < 200) {
      Awaitility.await().until(() -> charged.held.size() > 0);
      assertThat(charged.held).hasSize(1);
      HeldStore.Held charge = charged.held.remove();
      assertThat(charge.question().claims()).hasSizeLessThanOrEqualTo(20);
      claims += charge.question().claims().size();
      charges++;
      charge.deliver();
    }
    assertThat(charges).isGreaterThanOrEqualTo(10);
    listener.await("fallback", "no fallback");
    IntStream.range(0, 200).forEach(i -> assertThat(remaining("key-" + i)).isEqualTo(9));
  }

  @Test
  void aChargeWhoseOutcomeIsUnknownIsSentOnceMore() {
    charged.holds = operation -> operation == Operation.CHARGE;
    useLocally("key", 3);
    loseCharge();
    loseCharge();
    listener.await("fallback", "no fallback");
    assertThat(charged.held).isEmpty();
    assertThat(remaining("key")).isEqualTo(4); // executed twice: once too often
  }

  @Test
  void aChargeThatIsRefusedIsSentUntilItIsTaken() {
    close();
    fallback = fallback(asked);
    useLocally("key", 3);
    asked.behaviour = Behaviour.REFUSES;
    int before = asked.asked.get();
    Awaitility.await().until(() -> asked.asked.get() >= before + 2);
    assertThat(listener.events).containsExactly("fallback");
    asked.behaviour = Behaviour.ANSWERS;
    listener.await("fallback", "no fallback");
    assertThat(remaining("key")).isEqualTo(7);
  }

  /** FAULTS 47 on a Cluster: the address of a shard changes when its replica takes over. */
  @Test
  void aKeyIsChargedToTheNodeThatOwnsItNow() {
    AtomicInteger address = new AtomicInteger();
    LimitStore moving =
        new ForwardingLimitStore(asked) {
          @Override
          public String node(Claim claim) {
            return "node-" + address.incrementAndGet();
          }
        };
    close();
    fallback =
        new LocalFallbackStore(
            moving,
            moving,
            claim -> false,
            OptionalInt.of(2),
            TimeSource.system(),
            GuardEvents.of(listener));
    useLocally("key", 3);
    asked.behaviour = Behaviour.ANSWERS;
    listener.await("fallback", "no fallback");
    assertThat(remaining("key")).isEqualTo(7);
  }

  @Test
  void oneNodeThatIsSilentDoesNotKeepOthersFromBeingCharged() {
    LimitStore half =
        new ForwardingLimitStore(memory) {
          @Override
          public String node(Claim claim) {
            return claim.key();
          }

          @Override
          public CompletionStage<Verdicts> decide(Question question) {
            boolean dead = question.claims().get(0).key().equals("dead");
            return dead && asked.behaviour == Behaviour.FAILS
                ? asked.decide(question)
                : super.decide(question);
          }
        };
    close();
    fallback = fallback(half);
    useLocally("dead", 3);
    useLocally("alive", 4);
    Awaitility.await().until(() -> remaining("alive") == 6);
    assertThat(remaining("dead")).isEqualTo(10);
    asked.behaviour = Behaviour.ANSWERS;
    listener.await("fallback", "no fallback");
    assertThat(remaining("dead")).isEqualTo(7);
  }

  @Test
  void aClosingInstanceChargesWhatItCan() {
    useLocally("key", 3);
    fallback.close();
    assertThat(remaining("key")).isEqualTo(7);
  }

  @Test
  void aClosingInstanceWaitsForTheChargesOfARoundUnderWay() {
    charged.holds = operation -> operation == Operation.CHARGE;
    useLocally("key", 3);
    Awaitility.await().until(() -> charged.held.size() == 1);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(fallback::close);
    Awaitility.await().during(Duration.ofMillis(100)).until(() -> !closing.isDone());
    charged.held.remove().deliver();
    closing.join();
  }

  @Test
  void aClosingInstanceDoesNotWaitForLong() {
    charged.holds = operation -> operation == Operation.CHARGE;
    useLocally("key", 3);
    Awaitility.await().until(() -> charged.held.size() == 1);
    fallback.close();
  }

  @Test
  void whatCouldNotBeReadIsChargedInALaterRound() {
    LocalUseLedger ledger = new LocalUseLedger(10);
    AtomicInteger reads = new AtomicInteger();
    LocalUseCharger charger =
        charger(
            ledger,
            claim -> {
              if (reads.getAndIncrement() == 0) {
                throw new IllegalStateException("not now");
              }
              return claim;
            },
            TimeSource.system()::nowMicros);
    ledger.acquired(new Claim(TEN, "key", 3), 10);
    charger.begin(2);
    listener.await("fallback", "no fallback");
    assertThat(remaining("key")).isEqualTo(7);
    charger.stop(Duration.ofSeconds(1));
  }

  /** The local answer comes after the round has found nothing left, before it says so. */
  @Test
  void aLocalAnswerAtTheLastMomentKeepsTheFallbackGoing() {
    LocalUseLedger ledger = new LocalUseLedger(10);
    AtomicReference<Runnable> whenTimeIsRead = new AtomicReference<>(() -> {});
    AtomicLong now = new AtomicLong();
    LocalUseCharger charger =
        charger(
            ledger,
            UnaryOperator.identity(),
            () -> {
              long read = now.get();
              whenTimeIsRead.getAndSet(() -> {}).run();
              return read;
            });
    charged.holds = operation -> operation == Operation.CHARGE;
    ledger.acquired(new Claim(TEN, "key", 3), 10);
    charger.begin(2);
    Awaitility.await().until(() -> charged.held.size() == 1);
    now.set(10_000_000);
    whenTimeIsRead.set(
        () -> {
          now.set(2_000_000);
          ledger.acquired(new Claim(TEN, "other", 1), 10);
          charger.begin(2);
        });
    charged.held.remove().deliver();
    Awaitility.await().until(() -> charged.held.size() == 1);
    assertThat(listener.events).containsExactly("fallback");
    now.set(20_000_000);
    charged.held.remove().deliver();
    listener.await("fallback", "no fallback");
    charger.stop(Duration.ofSeconds(1));
  }

  private LocalUseCharger charger(
      LocalUseLedger ledger, UnaryOperator<Claim> stillInUse, LongSupplier nowMicros) {
    return new LocalUseCharger(
        ledger, charged, stillInUse, claim -> false, nowMicros, GuardEvents.of(listener));
  }

  private void loseCharge() {
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !charged.held.isEmpty());
    charged.held.remove().lose();
  }

  private void useLocally(String key, int permits) {
    asked.behaviour = Behaviour.FAILS;
    assertThat(limiter().decide(key, permits).allowed()).isTrue();
  }

  private long remaining(String key) {
    return RateLimiter.builder().policy(TEN).store(memory).build().peek(key).remaining();
  }

  private RateLimiter limiter() {
    return RateLimiter.builder().policy(TEN).store(fallback).build();
  }

  private LocalFallbackStore fallback(LimitStore chargedStore) {
    return new LocalFallbackStore(
        asked,
        chargedStore,
        claim -> false,
        OptionalInt.of(2),
        TimeSource.system(),
        GuardEvents.of(listener));
  }
}
