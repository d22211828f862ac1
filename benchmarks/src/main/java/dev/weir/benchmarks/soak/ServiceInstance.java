package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.service.ServiceProcess;
import dev.weir.benchmarks.service.ServiceProcess.Child;
import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One instance of the service, and a client of it. {@link #ask} is safe for many threads. */
final class ServiceInstance implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Pattern SOURCE = Pattern.compile("\"source\":\"([a-z-]+)\"");
  private static final Pattern REFUSED =
      Pattern.compile("weir_rules_reloads_total\\{result=\"refused\"} ([0-9]+)");

  private final ServiceProcess process;
  private final String base;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  ServiceInstance(String redis, Path rules, File log) throws IOException {
    process =
        ServiceProcess.start(
            InstanceMain.class, Redirect.appendTo(log), redis, rules.toAbsolutePath().toString());
    base = "http://127.0.0.1:" + process.port();
  }

  CheckAnswer ask(RequestKind kind) throws IOException, InterruptedException {
    HttpRequest question = request("/v1/check", "POST", BodyPublishers.ofString(kind.question()));
    long sentMillis = System.currentTimeMillis();
    long sent = System.nanoTime();
    HttpResponse<String> response = client.send(question, BodyHandlers.ofString());
    long micros = (System.nanoTime() - sent) / 1000;
    String source = found(SOURCE, response.body(), "nobody");
    return new CheckAnswer(
        kind, sentMillis, System.currentTimeMillis(), micros, response.statusCode(), source);
  }

  int putRules(String yaml) throws IOException, InterruptedException {
    return client
        .send(request("/v1/rules", "PUT", BodyPublishers.ofString(yaml)), BodyHandlers.discarding())
        .statusCode();
  }

  Vitals vitals(long afterMillis) throws IOException, InterruptedException {
    long heapBytes = process.heapBytes();
    JsonObject health = new JsonObject(get("/healthz"));
    return new Vitals(
        afterMillis,
        heapBytes,
        process.threads(),
        process.openFiles(),
        health.getInteger("inFlight"),
        health.getInteger("rulesVersion"),
        Integer.parseInt(found(REFUSED, get("/metrics"), "0")));
  }

  private String get(String path) throws IOException, InterruptedException {
    return client
        .send(request(path, "GET", BodyPublishers.noBody()), BodyHandlers.ofString())
        .body();
  }

  private HttpRequest request(String path, String method, BodyPublisher body) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + InstanceMain.TOKEN)
        .method(method, body)
        .build();
  }

  private static String found(Pattern pattern, String text, String otherwise) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : otherwise;
  }

  @Override
  public void close() {
    process.close();
  }

  /** One instance of the service in a JVM of its own, given the address of Redis and its rules. */
  static final class InstanceMain {
    static final String TOKEN = "soak-administrator";
    static final Duration DEADLINE = Duration.ofMillis(100);

    private InstanceMain() {}

    public static void main(String[] arguments) throws IOException {
      ServerOptions options =
          new ServerOptions()
              .host("127.0.0.1")
              .port(0)
              .drain(Duration.ZERO)
              .store(arguments[0])
              .config(List.of(Path.of(arguments[1])))
              .instances(SoakRules.INSTANCES)
              .deadline(DEADLINE)
              .adminToken(TOKEN);
      Child.untilInputEnds(() -> WeirServer.start(options).port());
    }
  }

  /**
   * What one instance uses at one time.
   *
   * @param afterMillis since the load began
   * @param heapBytes after a collection
   * @param rulesVersion counted from 1
   * @param refusedRules how many versions were refused
   */
  record Vitals(
      long afterMillis,
      long heapBytes,
      long threads,
      long openFiles,
      int inFlight,
      int rulesVersion,
      int refusedRules) {
    private static final long MINUTE_MILLIS = 60_000;

    /** The first after a minute; of a load that is shorter, the first of all. */
    static Vitals baseline(List<Vitals> inOrder) {
      return inOrder.stream()
          .limit(inOrder.size() - 1L)
          .filter(each -> each.afterMillis >= MINUTE_MILLIS)
          .findFirst()
          .orElse(inOrder.get(0));
    }
  }
}
