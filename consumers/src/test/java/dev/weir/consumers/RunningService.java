package dev.weir.consumers;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The runnable jar, serving rules in memory, as a process. */
final class RunningService implements AutoCloseable {
  private static final Path JAR = Path.of("../cli/target/weir.jar").toAbsolutePath();
  private static final String TOKEN = "a token of 16 characters and more";
  private static final Pattern FIRST_LINE = Pattern.compile("Weir serves on http://[^:]+:(\\d+)");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final String url;

  private RunningService(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  static RunningService start(Path folder, String rules) throws IOException {
    Path config = Files.writeString(folder.resolve("weir.yaml"), rules);
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-jar",
            JAR.toString(),
            "serve",
            "--config=" + config,
            "--host=127.0.0.1",
            "--port=0",
            "--drain=0",
            "--warm-up=0");
    builder.environment().put("WEIR_ADMIN_TOKEN", TOKEN);
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out = process.inputReader();
    Matcher first = FIRST_LINE.matcher(String.valueOf(out.readLine()));
    if (!first.matches()) {
      process.destroyForcibly();
      throw new IOException("the service did not start");
    }
    return new RunningService(process, "http://127.0.0.1:" + first.group(1));
  }

  String url() {
    return url;
  }

  /** With the token of administrators. */
  HttpResponse<String> call(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + TOKEN)
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
