package dev.weir.server.http.probe;

import dev.weir.server.http.Router;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Describes every call as OpenAPI 3.1, for people and generators of clients. */
final class ApiDescription {
  static final String PATH = "/openapi.json";

  private static final String JSON = read();

  private ApiDescription() {}

  static void addTo(Router router) {
    router.on(HttpMethod.GET, PATH, exchange -> exchange.answer(200, "application/json", JSON));
  }

  private static String read() {
    try (InputStream in = ApiDescription.class.getResourceAsStream("openapi.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
