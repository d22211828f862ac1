package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryStore;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Actuator endpoint: unrestricted in the MVC application, read only in the WebFlux one. */
final class WeirEndpointTest {
  private final RunningApplication application = MvcApplication.shared();

  @BeforeEach
  void fresh() {
    application.use(SharedBeans.RULES, MemoryStore.create());
  }

  @Test
  void itShowsTheRules() {
    HttpResponse<String> shown = application.get("/actuator/weir");
    assertThat(shown.statusCode()).isEqualTo(200);
    assertThat(shown.body())
        .contains("\"rules\":[{\"name\":\"calls\",\"limits\":[{\"name\":\"calls\"")
        .contains("\"1 per minute\"", "\"hash\":\"");
  }

  @Test
  void itShowsTheStateOfAKeyAndResetsIt() {
    application.get("/call?key=a,b");
    assertThat(state("a,b")).contains("\"remaining\":0", "\"key\":\"a,b\"");
    assertThat(state("c")).contains("\"remaining\":1");
    assertThat(application.get("/call?key=a,b").statusCode()).isEqualTo(429);

    HttpResponse<String> reset =
        application.send("DELETE", "/actuator/weir/calls?attributes=key=a,b");
    assertThat(reset.statusCode()).isEqualTo(200);
    assertThat(reset.body()).contains("\"reset\":[\"calls\"]");
    assertThat(application.get("/call?key=a,b").statusCode()).isEqualTo(200);
  }

  private String state(String key) {
    return application.get("/actuator/weir/calls?attributes=key=" + key).body();
  }

  @Test
  void addressesAndPathsAreReadAsThoseOfRequests() {
    application.use(
        """
        rules:
          - name: calls
            limits: [{name: calls, key: [ip, path], limit: 1 per minute}]
        """,
        MemoryStore.create());
    assertThat(
            application
                .get("/actuator/weir/calls?attributes=ip=2001:db8:1:2:3::4&attributes=path=//login")
                .body())
        .contains("\"key\":\"2001:db8:1:2::/64,/login\"");
  }

  @Test
  void aPathWithTwoReadingsIsABadRequest() {
    assertThat(application.get("/actuator/weir/calls?attributes=path=/x%25252Fy").statusCode())
        .isEqualTo(400);
  }

  @Test
  void aRuleThatDoesNotExistIsNotFound() {
    assertThat(application.get("/actuator/weir/none").statusCode()).isEqualTo(404);
  }

  @Test
  void attributesNeedNames() {
    assertThat(application.get("/actuator/weir/calls?attributes=a").statusCode()).isEqualTo(400);
  }

  @Test
  void resettingNeedsUnrestrictedAccess() {
    RunningApplication readOnly = WebFluxApplication.shared();
    readOnly.use(SharedBeans.RULES, MemoryStore.create());
    String path = "/actuator/weir/calls?attributes=key=a";
    assertThat(readOnly.get(path).statusCode()).isEqualTo(200);
    assertThat(readOnly.send("DELETE", path).statusCode()).isIn(404, 405);
  }

  @Test
  void healthHasTheDetails() {
    // degraded or not: other tests let stores of this application fail
    assertThat(application.get("/actuator/health").body())
        .contains("\"weir\":{\"details\":{", "\"degraded\":", "\"store\":\"SwitchableStore\"");
  }
}
