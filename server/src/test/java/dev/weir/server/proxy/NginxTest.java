package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawHttp;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** nginx, in every configuration of docs/proxies.md. */
@Tag("slow")
@ParameterizedClass
@EnumSource
final class NginxTest extends ProxyContract {
  private final Configuration configuration;

  NginxTest(Configuration configuration) {
    this.configuration = configuration;
  }

  enum Configuration {
    FAILING_CLOSED(503),
    FAILING_OPEN(200);

    private final int statusWithoutWeir;

    Configuration(int statusWithoutWeir) {
      this.statusWithoutWeir = statusWithoutWeir;
    }
  }

  @Override
  String site() {
    return configuration == Configuration.FAILING_OPEN
        ? ProxyGuide.nginxOpen()
        : ProxyGuide.nginx();
  }

  @Override
  ProxyProcess start(String site, Path folder) {
    return ProxyProcess.nginx(site, folder);
  }

  @Override
  int statusWhileAway() {
    return configuration.statusWithoutWeir;
  }

  @Override
  int statusWhileSilent() {
    return configuration.statusWithoutWeir;
  }

  @Override
  int statusIfTooLong() {
    return 500;
  }

  @Override
  boolean showsFieldsOfAllowed() {
    return true;
  }

  @Test
  void withoutWeirClientsAreToldToTryAgainUnlessTheyPass() {
    weir.close();
    RawHttp.Answer answer = login(ANNA);
    switch (configuration) {
      case FAILING_OPEN -> assertThat(answer.fields()).doesNotContainKey("Retry-After");
      case FAILING_CLOSED -> {
        assertThat(answer.fields())
            .containsEntry("Retry-After", "1")
            .containsEntry("Content-Type", "application/problem+json");
        assertThat(answer.body()).contains("#temporary-reduced-capacity\"", "\"status\":503");
      }
    }
  }

  @Test
  void whatNginxItselfForbidsIsNotCalledALimit() throws IOException {
    String forbidding =
        ProxyProcess.replace(site(), "auth_request /weir;", "auth_request /weir;\ndeny 127.0.0.2;");
    restart(forbidding, weir.port());
    assertThat(login(ANNA).status()).isEqualTo(403);
  }

  @Test
  void clientsCannotAskWeirThemselves() {
    assertThat(RawHttp.get(port(), ANNA, "/weir").status()).isEqualTo(404);
  }
}
