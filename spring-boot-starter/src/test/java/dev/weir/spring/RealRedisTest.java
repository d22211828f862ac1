package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.GuardedStore;
import dev.weir.redis.RedisStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.RedisServers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** MVC on Tomcat and WebFlux on Netty over a real Redis. */
final class RealRedisTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  static Stream<Named<Supplier<RunningApplication>>> applications() {
    return WebRulesTest.applications();
  }

  @ParameterizedTest
  @MethodSource("applications")
  void exactlyTheLimitPasses(Supplier<RunningApplication> shared) {
    RunningApplication application = shared.get();
    try (LimitStore store = store()) {
      application.use(rules("allow"), store);
      List<CompletableFuture<HttpResponse<String>>> sent =
          IntStream.range(0, 30).mapToObj(i -> application.getLater("/x")).toList();
      assertThat(sent.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
          .containsOnly(200, 429)
          .filteredOn(status -> status == 200)
          .hasSize(10);
    }
  }

  @ParameterizedTest
  @MethodSource("applications")
  void anOutageIsAnsweredByTheFailurePolicy(Supplier<RunningApplication> shared) {
    RunningApplication application = shared.get();
    try (LimitStore store = store()) {
      application.use(rules("deny"), store);
      assertThat(application.get("/x").statusCode()).isEqualTo(200);
      SERVERS.redis().kill();
      HttpResponse<String> denied = application.get("/x");
      assertThat(denied.statusCode()).isEqualTo(503);
      assertThat(denied.headers().firstValue("Weir-Source")).hasValue("fallback");
      assertThat(denied.body()).contains("#temporary-reduced-capacity");
    }
  }

  @Test
  void requestsThatWaitForTheStoreBlockNoEventLoop() {
    RunningApplication application = WebFluxApplication.shared();
    LateMemoryStore late = new LateMemoryStore();
    application.use(rules("allow").replace("limits:", "when: {path: /x}\n    limits:"), late);
    List<CompletableFuture<HttpResponse<String>>> waiting =
        IntStream.range(0, 50).mapToObj(i -> application.getLater("/x")).toList();
    assertThat(application.get("/free").body()).isEqualTo("passed");
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    late.answer();
    assertThat(waiting.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
        .filteredOn(status -> status == 200)
        .hasSize(10);
  }

  private static LimitStore store() {
    return GuardedStore.builder(RedisStore.connect(SERVERS.redis().uri()))
        .deadline(Duration.ofSeconds(20)) // exact on a busy machine, too
        .build();
  }

  private static String rules(String failurePolicy) {
    return SharedBeans.RULES
        + """
          - name: web
            limits: [{name: web, key: ip, limit: 10 per hour, algorithm: sliding-log}]
            on-store-failure: %s
        """
            .formatted(failurePolicy);
  }
}
