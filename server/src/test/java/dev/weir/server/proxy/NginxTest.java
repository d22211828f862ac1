package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawHttp;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Fails closed. */
final class NginxTest extends ProxyContract {
  @Override
  String site() {
    return ProxyGuide.nginx();
  }

  @Override
  ProxyProcess start(String site, Path folder) {
    return ProxyProcess.nginx(site, folder);
  }

  @Override
  int statusWhileAway() {
    return 503;
  }

  @Override
  int statusWhileSilent() {
    return 503;
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
  void withoutWeirClientsAreToldToTryAgain() {
    weir.close();
    RawHttp.Answer answer = login(ANNA);
    assertThat(answer.fields())
        .containsEntry("Retry-After", "1")
        .containsEntry("Content-Type", "application/problem+json");
    assertThat(answer.body()).contains("#temporary-reduced-capacity\"", "\"status\":503");
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
