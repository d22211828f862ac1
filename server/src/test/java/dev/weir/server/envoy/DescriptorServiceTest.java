package dev.weir.server.envoy;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.server.envoy.EnvoyVectors.Accounting;
import dev.weir.server.envoy.EnvoyVectors.Case;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.RedisServers;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The conformance cases of Envoy's reference service, without a protocol. */
final class DescriptorServiceTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  static Stream<Case> ours() {
    return EnvoyVectors.cases(Accounting.OURS);
  }

  static Stream<Case> reference() {
    return EnvoyVectors.cases(Accounting.REFERENCE);
  }

  @ParameterizedTest
  @MethodSource("ours")
  void inMemoryEveryCaseIsAnsweredByOurAccounting(Case one) {
    runInMemory(one);
  }

  @ParameterizedTest
  @MethodSource("reference")
  void inMemoryEveryCaseIsAnsweredByTheAccountingOfTheReference(Case one) {
    runInMemory(one);
  }

  @ParameterizedTest
  @MethodSource("ours")
  void inRedisEveryCaseIsAnsweredByOurAccounting(Case one) {
    runInRedis(one);
  }

  @ParameterizedTest
  @MethodSource("reference")
  void inRedisEveryCaseIsAnsweredByTheAccountingOfTheReference(Case one) {
    runInRedis(one);
  }

  private static void runInMemory(Case one) {
    ManualTime time = EnvoyVectors.clock();
    try (LimitStore store = MemoryStore.builder().time(time).build()) {
      run(one, store, time);
    }
  }

  private static void runInRedis(Case one) {
    ManualTime time = EnvoyVectors.clock();
    String namespace = "vectors-" + UUID.randomUUID();
    try (LimitStore store =
        RedisStore.builder(SERVERS.redis().uri()).namespace(namespace).clientTime(time).build()) {
      run(one, store, time);
    }
  }

  private static void run(Case one, LimitStore store, ManualTime time) {
    DescriptorService service = EnvoyVectors.service(one, store, time);
    EnvoyVectors.run(one, time, call -> AnswerText.of(service, call));
  }
}
