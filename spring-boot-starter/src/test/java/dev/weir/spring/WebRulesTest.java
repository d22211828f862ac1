package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What only Spring has: two steps around Spring Security, attributes from beans, denied methods.
 */
final class WebRulesTest {
  private static final String ANN = basic("ann:a");
  private static final String BOB = basic("bob:b");

  static Stream<Named<Supplier<RunningApplication>>> applications() {
    return Stream.of(
        Named.of("MVC", MvcApplication::shared), Named.of("WebFlux", WebFluxApplication::shared));
  }

  @ParameterizedTest
  @MethodSource("applications")
  void anAddressIsLimitedBeforeAuthentication(Supplier<RunningApplication> shared) {
    RunningApplication application = start(shared, "{name: by-ip, key: ip, limit: 2 per minute}");
    assertThat(application.get("/secret/x").statusCode()).isEqualTo(401);
    assertThat(application.get("/secret/x").statusCode()).isEqualTo(401);
    assertThat(application.get("/secret/x", "Authorization", ANN).statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @MethodSource("applications")
  void aUserIsLimitedAfterAuthentication(Supplier<RunningApplication> shared) {
    RunningApplication application =
        start(shared, "{name: by-user, key: user, limit: 1 per minute}");
    HttpResponse<String> first = application.get("/secret/x", "Authorization", ANN);
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.headers().allValues("RateLimit")).containsExactly("\"by-user\";r=0;t=60");

    HttpResponse<String> denied = application.get("/secret/x", "Authorization", ANN);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(denied.body()).contains("\"violated-policies\":[\"by-user\"]");
    assertThat(application.get("/secret/x", "Authorization", BOB).statusCode()).isEqualTo(200);
    assertThat(application.get("/x").headers().map()).doesNotContainKey("ratelimit");
  }

  @ParameterizedTest
  @MethodSource("applications")
  void aDenialOfTheUserGivesBackWhatTheAddressTook(Supplier<RunningApplication> shared) {
    RunningApplication application =
        start(
            shared,
            "{name: by-user, key: user, limit: 1 per minute}",
            "{name: by-ip, key: ip, limit: 10 per minute}");
    HttpResponse<String> both = application.get("/x", "Authorization", ANN);
    assertThat(both.headers().allValues("RateLimit"))
        .containsExactly("\"by-ip\";r=9;t=6, \"by-user\";r=0;t=60");
    for (int i = 0; i < 5; i++) {
      assertThat(application.get("/x", "Authorization", ANN).statusCode()).isEqualTo(429);
    }
    assertThat(application.get("/x").headers().allValues("RateLimit"))
        .containsExactly("\"by-ip\";r=8;t=12");
  }

  @ParameterizedTest
  @MethodSource("applications")
  void aMethodThatCannotBeDecidedIsAnswered503(Supplier<RunningApplication> shared) {
    RunningApplication application = shared.get();
    application.use(SharedBeans.RULES + "    on-store-failure: error\n", new BrokenStore());
    for (String path : new String[] {"/call?key=a", "/call-later?key=a"}) {
      HttpResponse<String> answer = application.get(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(answer.body()).contains("temporary-reduced-capacity");
    }
  }

  @ParameterizedTest
  @MethodSource("applications")
  void beansGiveAttributes(Supplier<RunningApplication> shared) {
    RunningApplication application =
        start(
            shared,
            "{name: plan, key: user, by: plan, limit: {free: 1 per minute, premium: 5 per minute}}",
            "{name: tenant, key: tenant, limit: 7 per minute}");
    assertThat(field(application, "Authorization", ANN)).isEqualTo("\"plan\";q=5;w=60");
    assertThat(field(application, "Authorization", BOB)).isEqualTo("\"plan\";q=1;w=60");
    assertThat(field(application, "X-Tenant", "t")).isEqualTo("\"tenant\";q=7;w=60");
  }

  private static String field(RunningApplication application, String... fields) {
    return application.get("/x", fields).headers().firstValue("RateLimit-Policy").orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("applications")
  void aDeniedMethodIsAnsweredAsADeniedRequest(Supplier<RunningApplication> shared) {
    for (String path : new String[] {"/call", "/call-later"}) {
      RunningApplication application =
          start(shared, "{name: by-ip, key: ip, limit: 10 per minute}");
      assertThat(application.get(path + "?key=a").body()).isEqualTo("called a");
      HttpResponse<String> denied = application.get(path + "?key=a");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.headers().firstValue("Retry-After")).hasValue("60");
      assertThat(denied.headers().allValues("Cache-Control")).containsExactly("no-store");
      assertThat(denied.headers().allValues("RateLimit"))
          .containsExactly("\"by-ip\";r=8;t=12, \"calls\";r=0;t=60");
      assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(denied.body())
          .isEqualTo(
              "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                  + "\"title\":\"Quota Exceeded\",\"status\":429,"
                  + "\"violated-policies\":[\"calls\"]}");
      assertThat(application.get(path + "?key=b").statusCode()).isEqualTo(200);
    }
  }

  private static RunningApplication start(Supplier<RunningApplication> shared, String... limits) {
    RunningApplication application = shared.get();
    StringBuilder rules =
        new StringBuilder(SharedBeans.RULES).append("  - name: web\n    limits:\n");
    for (String limit : limits) {
      rules.append("      - ").append(limit).append('\n');
    }
    application.use(rules.toString(), MemoryStore.builder().time(new ManualTime()).build());
    return application;
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }
}
