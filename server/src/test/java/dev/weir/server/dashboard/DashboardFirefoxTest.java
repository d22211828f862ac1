package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RunningService;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in Firefox: what is most likely to differ between browsers. */
@Tag("slow")
@Tag("external")
@Timeout(300)
final class DashboardFirefoxTest {
  private static final String ENTER = "\uE007";
  private static final String HOSTILE = "<img src=x onerror=document.title=1>";

  @TempDir Path directory;
  @TempDir Path profile;

  @Test
  void numbersMoveAKeyIsLookedUpAndHostileKeysStayText() throws Exception {
    try (RunningService service = RunningService.start(directory);
        Firefox browser = Firefox.start(profile)) {
      browser.open("http://127.0.0.1:" + service.server.port() + "/");
      browser.awaitText("#status", "Healthy");
      for (int i = 0; i < 5; i++) {
        service.http.check(Map.of("path", "/api/x", "user", HOSTILE));
      }
      browser.awaitText("#limits", "api / user-hour");
      browser.awaitText("#denied", "2 denials");

      browser.run("document.querySelector('#admin-open').click()");
      browser.type(RunningService.TOKEN + ENTER);
      browser.awaitText("#admin-open", "token in use");
      browser.awaitText("#denied", HOSTILE);
      browser.run("document.querySelector('#key').focus()");
      browser.type(HOSTILE + ENTER);
      browser.awaitText("#key-result", "passes in");

      assertThat(browser.run("document.querySelectorAll('main img').length")).isEqualTo(0);
      assertThat(browser.run("document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
      assertThat(browser.run("document.querySelectorAll('canvas').length > 0")).isEqualTo(true);
    }
  }
}
