package dev.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.testkit.RedisProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The books of the gateway balance: over a real Redis, with cancelled streams and a killed process.
 */
final class ModelGatewayTest {
  private static final Duration HOLD = Duration.ofSeconds(2);
  private static final long PROMPT = 40;

  private static RedisProcess redis;

  private final RedisStore store = RedisStore.connect(redis.uri());
  private final ModelGateway gateway = new ModelGateway(store, HOLD);

  @BeforeAll
  static void startRedis() {
    redis = RedisProcess.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private Optional<ModelGateway.AnswerStream> ask(String tenant, long mostTokens) {
    return gateway.ask(tenant, PROMPT, mostTokens, Stream.generate(() -> "token").iterator());
  }

  @Test
  void everyTokenIsPaidForOnceAlsoOfCancelledStreams() {
    Random random = new Random(1);
    long tokens = 0;
    long cents = 0;
    int requests = 20;
    for (int i = 0; i < requests; i++) {
      int used = random.nextInt(300); // some end early, because the client cancels
      try (ModelGateway.AnswerStream stream = ask("balance", 300).orElseThrow()) {
        for (int token = 0; token < used; token++) {
          stream.next();
        }
      }
      tokens += PROMPT + used;
      cents += ModelGateway.cents(PROMPT + used);
    }
    List<Long> left = gateway.remaining("balance");
    assertThat(ModelGateway.TOKENS_PER_MINUTE - left.get(1)).isEqualTo(tokens);
    assertThat(ModelGateway.CENTS_PER_MONTH - left.get(2)).isEqualTo(cents);
    assertThat(left.get(0)).isEqualTo(ModelGateway.REQUESTS_PER_MINUTE - requests);
    assertThat(left.get(3)).isEqualTo(ModelGateway.AT_ONCE);
  }

  @Test
  void aRequestTooManyAtOnceCostsNothing() {
    for (int i = 0; i < ModelGateway.AT_ONCE; i++) {
      assertThat(ask("busy", 100)).isPresent();
    }
    List<Long> before = gateway.remaining("busy");
    assertThat(ask("busy", 100)).isEmpty();
    assertThat(gateway.remaining("busy").subList(0, 3)).isEqualTo(before.subList(0, 3));
  }

  @Test
  void aProcessThatIsKilledLosesItsSlotAndKeepsWhatItReserved() throws Exception {
    Process killed =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ModelGatewayProcess.class.getName(),
                redis.uri(),
                "killed")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(killed.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("holding");
      assertThat(gateway.remaining("killed").get(3)).isEqualTo(ModelGateway.AT_ONCE - 1);
      killed.destroyForcibly().waitFor();
    }
    assertThat(allSlots().acquire("killed", ModelGateway.AT_ONCE, HOLD.multipliedBy(3)).allowed())
        .isTrue();
    assertThat(ModelGateway.CENTS_PER_MONTH - gateway.remaining("killed").get(2))
        .isEqualTo(ModelGateway.cents(1_000));
  }

  /** The gateway's limit on requests in flight alone. */
  private RateLimiter allSlots() {
    Claim slots = gateway.claims("killed", 0).get(3);
    Policy policy = slots.policy();
    assertThat(policy.limit()).isEqualTo(Limit.inFlight(ModelGateway.AT_ONCE, HOLD));
    return RateLimiter.builder().policy(policy).store(store).build();
  }
}
