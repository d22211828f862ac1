package dev.weir.server.dashboard;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.server.dashboard.Browser.Key;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, used as a person does. */
@Tag("slow")
@Tag("external")
@Timeout(300)
final class DashboardBrowserTest {
  private static final String HOSTILE = "\"><img src=x onerror=\"document.title='pwned'\">";
  private static final String AXE = "META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  private static final String SCROLLS_SIDEWAYS =
      "const page = document.documentElement; return page.scrollWidth > page.clientWidth";

  /** How many things can be used now. */
  private static final String USABLE =
      """
      const usable = 'a[href], button, input, textarea, select, summary, [tabindex="0"]';
      return [...document.querySelectorAll(usable)]
        .filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility()).length
      """;

  /** What has the focus, and whether it is drawn: an outline, inside the window. */
  private static final String FOCUS =
      """
      const focused = document.activeElement;
      if (focused === document.body || focused === null) return null;
      const style = getComputedStyle(focused);
      const all = [...document.querySelectorAll('*')];
      const box = focused.getBoundingClientRect();
      return {
        name: all.indexOf(focused) + ' ' + focused.tagName + ' ' + focused.id,
        visible: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
          && box.bottom > 0 && box.top < innerHeight,
      };
      """;

  private static final String KEYS_ARE_EXPLAINED =
      "return !document.querySelector('#masked').hidden";

  /** Adds an answer that begins before the latest second; how many points that takes away. */
  private static final String LOST_POINTS =
      """
      return (async () => {
        const charts = await import('/dashboard/charts.js');
        const before = Chart.getChart('chart').data.labels.length;
        const answer = await fetch('/dashboard/live?after=' + (charts.lastSecond() - 2));
        charts.addSeconds((await answer.json()).seconds);
        charts.draw();
        return Math.max(0, before - Chart.getChart('chart').data.labels.length);
      })()
      """;

  private static final String HAS_HISTORY =
      "return Chart.getChart('chart')?.data.labels.length >= 10";

  private static final String IS_FOCUSED =
      "return document.activeElement === document.querySelector(arguments[0])";

  @TempDir Path directory;
  @TempDir Path profile;
  private RunningService service;
  private Http http;
  private Browser browser;

  @BeforeEach
  void open() throws IOException {
    browser = Browser.start(profile);
    service = RunningService.start(directory);
    http = service.http;
    browser.look(1280, 900, false);
    browser.open("http://127.0.0.1:" + service.server.port() + "/");
    browser.awaitText("#status", "Healthy");
  }

  @AfterEach
  void close() throws IOException {
    if (browser != null) {
      browser.close();
    }
    if (service != null) {
      service.close();
    }
  }

  @Test
  void numbersMoveWithoutReloadAndHostileKeysStayText() {
    deny(HOSTILE);
    browser.awaitText("#limits", "api / user-hour");
    browser.awaitText("#denied", "2 denials");
    assertThat(browser.text("#denied")).doesNotContain("onerror");
    assertThat(browser.run(KEYS_ARE_EXPLAINED)).isEqualTo(true);
    signIn();
    browser.awaitText("#denied", HOSTILE);
    assertThat(browser.run(KEYS_ARE_EXPLAINED)).isEqualTo(false);
    lookUp(HOSTILE);
    browser.awaitText("#key-result", "passes in");
    assertThat(browser.run("return document.querySelectorAll('main img').length")).isEqualTo(0);
    assertThat(browser.run("return document.title")).asString().doesNotContain("pwned");
    assertThat(policyViolations()).isEmpty();
  }

  /** Answers overlap when the page asks twice at once, as after a sign-in. */
  @Test
  void answersThatOverlapLeaveTheHistoryAsItIs() {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Boolean.TRUE.equals(browser.run(HAS_HISTORY)));
    assertThat(browser.run(LOST_POINTS)).isEqualTo(0);
  }

  @Test
  void aWrongTokenIsRefusedAndTheRightOneIsKeptInNoStorage() {
    browser.click("#admin-open");
    browser.type("#token", "wrong-token-wrong-token");
    browser.click("#admin-form button[type=submit]");
    browser.awaitText("#token-state", "not the token");
    browser.click("#admin-cancel");
    signIn();
    assertThat(browser.run("return document.cookie + localStorage.length + sessionStorage.length"))
        .isEqualTo("00");
  }

  @Test
  void aKeyIsResetAfterAConfirmationAndTheTrailShowsIt() {
    deny("ann");
    signIn();
    lookUp("ann");
    browser.awaitText("#key-result", "passes in");
    browser.click("#key-result tbody button");
    browser.awaitText("#confirm-text", "Forgets what ann has used");
    assertThat(http.check(ann()).status()).isEqualTo(429);
    browser.click("#confirm-yes");
    browser.awaitText("#audit", "reset a key in api/");
    await().atMost(Duration.ofSeconds(20)).until(() -> http.check(ann()).status() == 200);
  }

  @Test
  void aRequestIsTriedWithItsDecisionFieldsAndExplanation() {
    deny("ann");
    signIn();
    browser.fill("#attributes", "path=/api/x\nuser=ann");
    browser.click("#try-form button[type=submit]");
    browser.awaitText("#try-result", "Denied, status 429");
    assertThat(browser.text("#try-result"))
        .contains("Retry-After:", "api matches", "strict does not match");
  }

  @Test
  void aBadRuleIsRefusedWhileTypingAWhatIfNamesTheDeniedAndAGoodOneIsApplied() {
    deny("ann");
    signIn();
    browser.awaitText("#rules-list", "api");
    browser.fill("#candidate", "rules:\n  - name: api\n    limitz: 3\n");
    browser.awaitText("#candidate-state", "limitz");
    assertThat(browser.text("#candidate-state")).contains("Line 3");
    String yaml = RunningService.RULES.replace("3 per hour", "1 per hour");
    browser.fill("#candidate", yaml);
    browser.awaitText("#candidate-state", "Valid: 3 rules");
    browser.click("#candidate-what-if");
    browser.awaitText("#what-if", "2 newly denied");
    assertThat(browser.text("#what-if")).contains("ann");
    browser.click("#candidate-apply");
    browser.awaitText("#confirm-title", "Apply these rules?");
    browser.click("#confirm-yes");
    browser.awaitText("#candidate-state", "Applied");
    browser.awaitText("#rules-list", "user-hour: 1 per hour");
    assertThat(policyViolations()).isEmpty();
  }

  @Test
  void theKillSwitchAsksFirstAndThenShowsAllOverThePage() {
    signIn();
    browser.click("#kill");
    browser.awaitText("#confirm-text", "Every request passes");
    browser.click("#confirm-no");
    assertThat(http.get("/healthz").json().getBoolean("killSwitch")).isFalse();
    browser.click("#kill");
    browser.awaitText("#confirm-title", "Allow everything?");
    browser.click("#confirm-yes");
    browser.awaitText("#banners", "The kill switch is on");
    browser.awaitText("#status", "Degraded");
    browser.awaitText("#audit", "switched the kill switch on");
    assertThat(http.get("/healthz").json().getBoolean("killSwitch")).isTrue();
    http.send("DELETE", "/v1/kill-switch", "", ADMIN);
    browser.awaitText("#audit", "switched the kill switch off"); // by somebody else
    browser.awaitText("#status", "Healthy");
  }

  /** Everything that can be used is reached by Tab, and shows that it is. */
  @Test
  void theKeyboardReachesEverythingAndTheFocusIsSeen() {
    int usable = ((Number) browser.run(USABLE)).intValue();
    Set<String> reached = new LinkedHashSet<>();
    for (int i = 0; i < usable + 20; i++) {
      browser.press(Key.TAB);
      JsonObject focus = (JsonObject) browser.run(FOCUS);
      if (focus != null && reached.add(focus.getString("name"))) {
        assertThat(focus.getBoolean("visible")).as(focus.encode()).isTrue();
      }
    }
    assertThat(reached).hasSize(usable);
  }

  @Test
  void anAdministratorNeedsNoMouse() {
    deny("ann");
    tabTo("#admin-open");
    browser.press(Key.ENTER);
    typeKeys(RunningService.TOKEN);
    browser.press(Key.ENTER);
    browser.awaitText("#admin-open", "token in use");
    tabTo("#key");
    typeKeys("ann");
    browser.press(Key.ENTER);
    browser.awaitText("#key-result", "passes in");
    tabTo("#kill");
    browser.press(Key.ENTER);
    browser.awaitText("#confirm-title", "Allow everything?");
    browser.press(Key.ESCAPE);
    await()
        .until(
            () ->
                browser.run("return document.querySelector('dialog[open]') === null").equals(true));
    assertThat(browser.run("return document.activeElement.id")).isEqualTo("kill");
    assertThat(http.get("/healthz").json().getBoolean("killSwitch")).isFalse();
  }

  private void tabTo(String selector) {
    for (int i = 0; i < 200; i++) {
      browser.press(Key.TAB);
      if (browser.run(IS_FOCUSED, selector).equals(true)) {
        return;
      }
    }
    throw new AssertionError("Tab does not lead to " + selector);
  }

  private void typeKeys(String text) {
    text.chars().forEach(letter -> browser.press(String.valueOf((char) letter)));
  }

  @Test
  void axeFindsNoSeriousFaultInLightAndDarkNarrowAndWide() throws IOException {
    deny("ann");
    signIn();
    lookUp("ann");
    browser.awaitText("#key-result", "passes in");
    for (boolean dark : new boolean[] {false, true}) {
      for (int width : new int[] {360, 1280}) {
        browser.look(width, 900, dark);
        assertThat(seriousFaults()).as("dark %s, width %s", dark, width).isEmpty();
        assertThat(browser.run(SCROLLS_SIDEWAYS)).as("width %s", width).isEqualTo(false);
      }
    }
  }

  private List<String> seriousFaults() throws IOException {
    // The driver injects it; the page's own policy would not let it load.
    browser.run(axe());
    Object found =
        browser.runAsync(
            """
            const done = arguments[arguments.length - 1];
            axe.run().then((result) => done(result.violations
              .filter((fault) => ['serious', 'critical'].includes(fault.impact))
              .map((fault) => fault.id + ': ' + fault.nodes.map((node) => node.html).join(' | '))));
            """);
    return ((JsonArray) found).stream().map(String::valueOf).toList();
  }

  private static String axe() throws IOException {
    try (InputStream in = DashboardBrowserTest.class.getClassLoader().getResourceAsStream(AXE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void signIn() {
    browser.click("#admin-open");
    browser.type("#token", RunningService.TOKEN);
    browser.click("#admin-form button[type=submit]");
    browser.awaitText("#admin-open", "token in use");
  }

  private void lookUp(String key) {
    browser.fill("#key", key);
    browser.click("#key-form button[type=submit]");
  }

  private static Map<String, String> ann() {
    return Map.of("path", "/api/x", "user", "ann");
  }

  private void deny(String user) {
    for (int i = 0; i < 5; i++) {
      http.post(
          "/v1/check",
          new JsonObject()
              .put("attributes", new JsonObject().put("path", "/api/x").put("user", user))
              .encode());
    }
  }

  private List<String> policyViolations() {
    return browser.console().stream()
        .filter(line -> line.contains("Content Security Policy"))
        .toList();
  }
}
