package dev.weir.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One instance of the shop: a process of its own. */
final class Instance implements AutoCloseable {
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Process process;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();

  private Instance(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a process; {@link #uri} waits until it serves. */
  static Instance start(RedisProcess redis) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ShopApplication.class.getName(),
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + redis.port(),
                "--weir.redis.deadline=10s") // exact on a busy machine, too
            .redirectErrorStream(true)
            .start();
    return new Instance(process);
  }

  private void read() {
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        Matcher started = STARTED.matcher(line);
        if (started.find()) {
          port.complete(Integer.valueOf(started.group(1)));
        }
      }
    } catch (IOException killed) {
      output.append(killed);
    }
    port.completeExceptionally(new IllegalStateException("it ended:\n" + output));
  }

  private URI uri(String path) throws Exception {
    return URI.create("http://127.0.0.1:" + port.get(2, TimeUnit.MINUTES) + path);
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  HttpResponse<String> post(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.noBody()));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
  }

  /** As a machine that is switched off: nothing is said to Redis or to clients. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the process has ended").isTrue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
