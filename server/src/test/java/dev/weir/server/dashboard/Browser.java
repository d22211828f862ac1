package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ExternalPrograms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Chromium without a window, driven over the WebDriver protocol, which is a few calls of JSON over
 * HTTP.
 */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
  private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
  private static final List<String> ARGUMENTS =
      List.of(
          "--headless=new",
          "--hide-scrollbars",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--lang=en-GB");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process driver;
  private final String session;

  private Browser(Process driver, int port, Path chromium, Path profile) {
    this.driver = driver;
    JsonArray arguments = new JsonArray(ARGUMENTS).copy().add("--user-data-dir=" + profile);
    JsonObject chrome = new JsonObject().put("binary", chromium.toString()).put("args", arguments);
    JsonObject wanted =
        new JsonObject()
            .put("goog:chromeOptions", chrome)
            .put("goog:loggingPrefs", new JsonObject().put("browser", "ALL"));
    String server = "http://127.0.0.1:" + port + "/session";
    JsonObject capabilities = new JsonObject().put("alwaysMatch", wanted);
    JsonObject made =
        (JsonObject) send("POST", server, new JsonObject().put("capabilities", capabilities));
    session = server + "/" + made.getString("sessionId");
  }

  /**
   * @param profile an empty folder for what the browser remembers
   */
  static Browser start(Path profile) throws IOException {
    Path chromium = ExternalPrograms.require(onPath("chromium"), "chromium");
    Path driver =
        ExternalPrograms.require(onPath("chromedriver"), "chromedriver (package chromium-driver)");
    Process process =
        new ProcessBuilder(driver.toString(), "--port=0", "--log-level=WARNING")
            .redirectErrorStream(true)
            .start();
    try {
      return new Browser(process, port(process.inputReader()), chromium, profile);
    } catch (RuntimeException | Error failed) {
      process.destroyForcibly();
      throw failed;
    }
  }

  private static Optional<Path> onPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static int port(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        return Integer.parseInt(started.group(1));
      }
    }
    throw new IllegalStateException("chromedriver ended without a port");
  }

  void open(String url) {
    call("url", new JsonObject().put("url", url));
  }

  /** The value that a script returns. */
  Object run(String script, Object... arguments) {
    return call(
        "execute/sync",
        new JsonObject().put("script", script).put("args", new JsonArray(List.of(arguments))));
  }

  /** The value that a script hands to its last argument, a function, when it is done. */
  Object runAsync(String script) {
    return call(
        "execute/async", new JsonObject().put("script", script).put("args", new JsonArray()));
  }

  String text(String selector) {
    return String.valueOf(run("return document.querySelector(arguments[0])?.innerText", selector));
  }

  /** Waits until the text of an element contains another. */
  void awaitText(String selector, String expected) {
    Awaitility.await(selector + " with " + expected)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(text(selector)).containsIgnoringCase(expected));
  }

  void click(String selector) {
    elementCall(selector, "click", new JsonObject());
  }

  void type(String selector, String text) {
    elementCall(selector, "value", new JsonObject().put("text", text));
  }

  /** Types into an emptied field. */
  void fill(String selector, String text) {
    elementCall(selector, "clear", new JsonObject());
    type(selector, text);
  }

  /** Presses and releases a key, wherever the focus is: a character, or one of {@link Key}. */
  void press(String key) {
    JsonArray actions =
        new JsonArray()
            .add(new JsonObject().put("type", "keyDown").put("value", key))
            .add(new JsonObject().put("type", "keyUp").put("value", key));
    JsonObject keyboard =
        new JsonObject().put("type", "key").put("id", "keyboard").put("actions", actions);
    call("actions", new JsonObject().put("actions", new JsonArray().add(keyboard)));
  }

  void press(Key key) {
    press(key.code);
  }

  /** Keys without a character, as the WebDriver protocol names them. */
  enum Key {
    TAB("\uE004"),
    ENTER("\uE007"),
    ESCAPE("\uE00C");

    private final String code;

    Key(String code) {
      this.code = code;
    }
  }

  private void elementCall(String selector, String call, JsonObject body) {
    JsonObject found =
        (JsonObject)
            call("element", new JsonObject().put("using", "css selector").put("value", selector));
    call("element/" + found.getString(ELEMENT) + "/" + call, body);
  }

  /** What a person sees: its size, its colours. */
  void look(int width, int height, boolean dark) {
    devTools(
        "Emulation.setEmulatedMedia",
        new JsonObject()
            .put(
                "features",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("name", "prefers-color-scheme")
                            .put("value", dark ? "dark" : "light"))));
    devTools(
        "Emulation.setDeviceMetricsOverride",
        new JsonObject()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
  }

  private void devTools(String command, JsonObject parameters) {
    call("goog/cdp/execute", new JsonObject().put("cmd", command).put("params", parameters));
  }

  /** The whole page as it is now, as PNG. */
  void screenshot(Path file, int width, boolean dark) throws IOException {
    look(width, 900, dark);
    Number height = (Number) run("return document.documentElement.scrollHeight");
    screenshot(file, width, height.intValue(), dark);
  }

  /** The top of the page, as high as this. */
  void screenshot(Path file, int width, int height, boolean dark) throws IOException {
    look(width, height, dark);
    Files.createDirectories(file.getParent());
    Files.write(
        file, Base64.getDecoder().decode((String) send("GET", session + "/screenshot", null)));
  }

  /** What the page wrote to the console: violations of the content security policy too. */
  List<String> console() {
    JsonArray entries = (JsonArray) call("se/log", new JsonObject().put("type", "browser"));
    return entries.stream().map(entry -> ((JsonObject) entry).getString("message")).toList();
  }

  private Object call(String path, JsonObject body) {
    return send("POST", session + "/" + path, body);
  }

  private Object send(String method, String url, JsonObject body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(PATIENCE)
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.encode()))
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      JsonObject answer = new JsonObject(response.body());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(url + ": " + answer.encode());
      }
      return answer.getValue("value");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      send("DELETE", session, null);
    } finally {
      driver.destroy();
      try {
        driver.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
