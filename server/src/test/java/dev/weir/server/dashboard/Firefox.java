package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ExternalPrograms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Firefox without a window, driven over WebDriver BiDi: JSON over a WebSocket that Firefox itself
 * serves, so that no driver has to be installed.
 */
final class Firefox implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern LISTENS = Pattern.compile("BiDi listening on (ws://\\S+)");

  private final Process process;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> answers = new ConcurrentHashMap<>();
  private final WebSocket socket;
  private final String context;

  private Firefox(Process process, URI address) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, new Answers()).join();
    call("session.new", new JsonObject().put("capabilities", new JsonObject()));
    this.context =
        call("browsingContext.getTree", new JsonObject())
            .getJsonArray("contexts")
            .getJsonObject(0)
            .getString("context");
  }

  /**
   * @param profile an empty folder for what the browser remembers
   */
  static Firefox start(Path profile) throws IOException {
    Path program =
        ExternalPrograms.require(onPath("firefox-esr").or(() -> onPath("firefox")), "firefox");
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(),
            "--headless",
            "--no-remote",
            "--remote-debugging-port=0",
            "--profile",
            profile.toString());
    builder.environment().put("HOME", profile.toString());
    Process process = builder.redirectErrorStream(true).start();
    try {
      return new Firefox(process, address(process.inputReader()));
    } catch (RuntimeException | Error | IOException failed) {
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

  private static URI address(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher listens = LISTENS.matcher(line);
      if (listens.find()) {
        return URI.create(listens.group(1) + "/session");
      }
    }
    throw new IllegalStateException("Firefox ended without an address");
  }

  void open(String url) {
    call("browsingContext.navigate", inContext().put("url", url).put("wait", "complete"));
  }

  /** The value of an expression: a text, a number, a boolean; null if it has none. */
  Object run(String expression) {
    JsonObject answer =
        call(
            "script.evaluate",
            new JsonObject()
                .put("expression", expression)
                .put("target", inContext())
                .put("awaitPromise", true));
    assertThat(answer.getString("type")).as(answer.encode()).isEqualTo("success");
    return answer.getJsonObject("result").getValue("value");
  }

  /** Waits until the text of an element contains another. */
  void awaitText(String selector, String expected) {
    Awaitility.await(selector + " with " + expected)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () ->
                assertThat(run("document.querySelector('" + selector + "')?.innerText"))
                    .asString()
                    .containsIgnoringCase(expected));
  }

  /** Presses keys one after the other, wherever the focus is. */
  void type(String text) {
    JsonArray actions = new JsonArray();
    for (int i = 0; i < text.length(); i++) {
      String key = text.substring(i, i + 1);
      actions.add(new JsonObject().put("type", "keyDown").put("value", key));
      actions.add(new JsonObject().put("type", "keyUp").put("value", key));
    }
    JsonObject keyboard =
        new JsonObject().put("type", "key").put("id", "keyboard").put("actions", actions);
    call("input.performActions", inContext().put("actions", new JsonArray().add(keyboard)));
  }

  private JsonObject inContext() {
    return new JsonObject().put("context", context);
  }

  private JsonObject call(String method, JsonObject parameters) {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    answers.put(id, answer);
    JsonObject message =
        new JsonObject().put("id", id).put("method", method).put("params", parameters);
    socket.sendText(message.encode(), true).join();
    JsonObject received = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    if (!received.containsKey("result")) {
      throw new IllegalStateException(method + ": " + received.encode());
    }
    return received.getJsonObject("result");
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        JsonObject message = new JsonObject(parts.toString());
        parts.setLength(0);
        CompletableFuture<JsonObject> waiting =
            message.getInteger("id") == null ? null : answers.remove(message.getInteger("id"));
        if (waiting != null) {
          waiting.complete(message);
        }
      }
      from.request(1);
      return null;
    }
  }

  /** The profile is deleted after this, so all of its processes must have ended. */
  @Override
  public void close() {
    socket.abort();
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroy);
    all.forEach(each -> each.onExit().orTimeout(30, TimeUnit.SECONDS).join());
  }
}
