package dev.weir.server.dashboard;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.testkit.RedisProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pictures of the dashboard in every state, to be looked at: in {@code target/screenshots}, or in
 * the folder of the property {@code weir.screenshots}.
 */
@Tag("slow")
@Tag("external")
@Timeout(600)
final class DashboardScreenshotTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("weir.screenshots", "target/screenshots")).toAbsolutePath();

  /** On a busy machine the usual deadline would be missed now and then. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final int WIDE = 1280;
  private static final int NARROW = 380;
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: login-ip, key: ip, limit: 60 per minute, algorithm: sliding-window}
            - {name: login-email, key: email, limit: 5 per minute, algorithm: sliding-window}
          on-store-failure: deny
        - name: api
          when: {path: /api/**}
          limits:
            - name: plan
              key: user
              by: plan
              limit: {free: 100 per minute, premium: 1000 per minute, default: 20 per minute}
            - {name: api-total, key: [], limit: 5000 per second, algorithm: fixed-window}
        - name: everything
          limits:
            - {name: per-ip, key: ip, limit: 2 per second, burst: 5}
          mode: shadow
      """;

  @TempDir Path directory;
  @TempDir Path profile;

  @Test
  void everyStateHasItsPicture() throws IOException {
    try (RedisProcess redis = RedisProcess.start();
        RunningService service = service(redis);
        Browser browser = Browser.start(profile)) {
      browser.open("http://127.0.0.1:" + service.server.port() + "/");
      browser.awaitText("#status", "Healthy");
      picture(browser, "empty");
      ExecutorService traffic = Executors.newSingleThreadExecutor();
      traffic.execute(() -> send(service.http));
      try {
        busy(browser, service.http);
        refused(browser, service.http);
        killed(browser, service.http);
        redis.suspend();
        browser.awaitText("#store", "open for");
        browser.awaitText("#summary", "The store does not answer: failure policies decide");
        picture(browser, "store-down");
        redis.resume();
      } finally {
        traffic.shutdownNow();
      }
    }
    try (var pictures = Files.list(FOLDER)) {
      assertThat(pictures.filter(file -> file.toString().endsWith(".png"))).hasSize(25);
    }
  }

  private RunningService service(RedisProcess redis) throws IOException {
    Path rules = Files.writeString(directory.resolve("weir.yaml"), RULES);
    return RunningService.start(
        RunningService.options(directory)
            .config(List.of(rules))
            .store(redis.uri())
            .deadline(PATIENCE));
  }

  private static void busy(Browser browser, Http http) throws IOException {
    browser.awaitText("#denied", "denials");
    awaitHistory(http);
    picture(browser, "busy");
    browser.click("#admin-open");
    browser.type("#token", RunningService.TOKEN);
    browser.click("#admin-form button[type=submit]");
    browser.awaitText("#denied", "@example");
    browser.screenshot(FOLDER.resolve("dashboard.png"), WIDE, 1080, false);
    browser.fill("#key", "ann@example.org");
    browser.click("#key-form button[type=submit]");
    browser.awaitText("#key-result", "login-email");
    browser.fill("#attributes", "path=/login\nmethod=POST\nip=192.0.2.1\nemail=ann@example.org");
    browser.click("#try-form button[type=submit]");
    browser.awaitText("#try-result", "status");
    browser.fill("#candidate", RULES.replace("100 per minute", "10 per minute"));
    browser.click("#candidate-what-if");
    browser.awaitText("#what-if", "newly denied");
    picture(browser, "denied");
  }

  private static void refused(Browser browser, Http http) throws IOException {
    http.put("/v1/rules", "rules: [{name: login, limitz: []}]", ADMIN);
    browser.awaitText("#rules-facts", "refused");
    browser.awaitText("#refused", "limitz");
    browser.fill("#candidate", "rules:\n  - name: login\n    limitz: []\n");
    browser.awaitText("#candidate-state", "limitz");
    picture(browser, "rule-refused");
  }

  private static void killed(Browser browser, Http http) throws IOException {
    http.put("/v1/rules", RULES, ADMIN);
    http.put("/v1/kill-switch", "", ADMIN);
    browser.awaitText("#banners", "kill switch is on");
    picture(browser, "kill-switch");
    http.send("DELETE", "/v1/kill-switch", "", ADMIN);
    browser.awaitText("#status", "Healthy");
  }

  private static void picture(Browser browser, String state) throws IOException {
    for (boolean dark : new boolean[] {false, true}) {
      String colours = dark ? "dark" : "light";
      browser.screenshot(FOLDER.resolve(state + "-" + colours + ".png"), WIDE, dark);
      browser.screenshot(FOLDER.resolve(state + "-" + colours + "-narrow.png"), NARROW, dark);
    }
  }

  /** Some thirty requests per second, until it is interrupted. */
  private static void send(Http http) {
    String[] users = {"ann", "bob", "carol", "dave", "erin"};
    while (!Thread.currentThread().isInterrupted()) {
      int number = ThreadLocalRandom.current().nextInt(1000);
      String user = users[number % users.length];
      String ip = "192.0.2." + number % 40;
      boolean login = number % 4 == 0;
      Map<String, String> attributes =
          login
              ? Map.of("path", "/login", "method", "POST", "ip", ip, "email", user + "@example.org")
              : Map.of("path", "/api/orders", "user", user, "plan", "free", "ip", ip);
      try {
        http.check(attributes);
      } catch (IllegalStateException stopped) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(30).toNanos());
    }
  }

  /** So that the chart has something to show. */
  private static void awaitHistory(Http http) {
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> busySeconds(http) >= 40);
  }

  private static long busySeconds(Http http) {
    JsonObject seconds = http.get("/dashboard/live").json().getJsonObject("seconds");
    return seconds.getJsonArray("allowed").stream().filter(count -> !count.equals(0)).count();
  }
}
