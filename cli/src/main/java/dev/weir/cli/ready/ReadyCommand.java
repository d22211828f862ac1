package dev.weir.cli.ready;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks a running service whether it is ready. */
@Command(
    name = "ready",
    description = "Asks a running service whether it is ready for requests.",
    footer = {
      "",
      "The certificate of a service on this machine is not checked: it is for other",
      "names.",
      "Exit status: 0 ready, 1 not ready or not reached, 2 usage error."
    })
public final class ReadyCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final int OK = 200;

  @Option(
      names = "--url",
      paramLabel = "<url>",
      description = "Where the service is. Default: http://localhost:8080")
  private String url = "http://localhost:8080";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    URI probe = probe();
    try {
      HttpRequest request = HttpRequest.newBuilder(probe).timeout(PATIENCE).build();
      HttpResponse<String> answer = client(probe).send(request, BodyHandlers.ofString());
      boolean ready = answer.statusCode() == OK;
      out.println(ready ? "ready" : "not ready: " + answer.statusCode());
      return ready ? 0 : 1;
    } catch (IOException unreachable) {
      out.println("not reached: " + probe + ": " + unreachable);
      return 1;
    }
  }

  private URI probe() {
    try {
      URI base = URI.create(url);
      if (base.getHost() != null && String.valueOf(base.getScheme()).matches("https?")) {
        return base.resolve("/readyz");
      }
    } catch (IllegalArgumentException malformed) {
      // said below, in the same words
    }
    throw new ParameterException(
        spec.commandLine(), "--url must be http://host:port or https://host:port, was " + url);
  }

  private static HttpClient client(URI probe) {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
    if (probe.getScheme().equals("https") && isThisMachine(probe.getHost())) {
      builder.sslContext(UncheckedCertificates.context());
    }
    return builder.build();
  }

  private static boolean isThisMachine(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException elsewhere) {
      return false;
    }
  }
}
