package dev.weir.examples;

import dev.weir.httpclient.PacedHttpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The other side: a client that keeps to the limits that servers announce. */
final class PoliteClient {
  private final PacedHttpClient client =
      PacedHttpClient.builder(HttpClient.newHttpClient())
          .maxWait(Duration.ofSeconds(30))
          .retries(1)
          .build();

  String get(URI uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
