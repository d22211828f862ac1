package dev.weir.server;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** A client of the service, such as any program is. */
public final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String base;

  public Http(int port) {
    base = "http://127.0.0.1:" + port;
  }

  /** What came back. */
  public record Answer(int status, java.net.http.HttpHeaders headers, String body) {
    public JsonObject json() {
      return new JsonObject(body);
    }

    public String field(String name) {
      return headers.firstValue(name).orElse("none");
    }

    public String detail() {
      return json().getString("detail");
    }
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public Answer put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  public Answer check(Map<String, String> attributes) {
    return check(attributes, 1);
  }

  public Answer check(Map<String, String> attributes, long permits) {
    return post("/v1/check", question(attributes, permits));
  }

  public static String question(Map<String, String> attributes, long permits) {
    return new JsonObject()
        .put("attributes", new JsonObject(Map.copyOf(attributes)))
        .put("permits", permits)
        .encode();
  }

  public Answer send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofSeconds(20))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.headers(), response.body());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }
}
