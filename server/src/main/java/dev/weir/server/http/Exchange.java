package dev.weir.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/** One request and its one answer. Used by one event loop. */
public final class Exchange {
  public static final String JSON = "application/json";
  static final String PROBLEM = "application/problem+json";

  private final HttpServerRequest request;
  private final CallMeters meters;
  private final long startNanos = System.nanoTime();
  private boolean answered;

  Exchange(HttpServerRequest request, CallMeters meters) {
    this.request = request;
    this.meters = meters;
  }

  public HttpServerRequest request() {
    return request;
  }

  public HttpServerResponse response() {
    return request.response();
  }

  public void json(JsonObject body) {
    json(200, body);
  }

  public void json(int status, JsonObject body) {
    answer(status, JSON, body.encode() + "\n");
  }

  public void answer(int status, String contentType, String body) {
    if (take(status)) {
      response().putHeader("Content-Type", contentType).end(Buffer.buffer(body));
    }
  }

  public void answerWithoutBody(int status) {
    if (take(status)) {
      response().end();
    }
  }

  /** A problem without a type of its own (RFC 9457). */
  public void problem(int status, String title, String detail) {
    problem(status, "about:blank", title, detail);
  }

  public void problem(int status, String type, String title, String detail) {
    JsonObject body =
        new JsonObject()
            .put("type", type)
            .put("title", title)
            .put("status", status)
            .put("detail", detail);
    answer(status, PROBLEM, body.encode() + "\n");
  }

  public void refuse(BadRequestException why) {
    if (why.status == 413 || why.status == 408) {
      response().putHeader("Connection", "close"); // the rest of the body is not worth reading
    }
    problem(why.status, title(why.status), why.getMessage());
  }

  private static String title(int status) {
    return switch (status) {
      case 408 -> "Request Timeout";
      case 413 -> "Content Too Large";
      default -> "Bad Request";
    };
  }

  /** An answer that comes too late, or twice, is dropped. */
  private boolean take(int status) {
    if (answered || response().ended() || response().closed()) {
      return false;
    }
    answered = true;
    response().setStatusCode(status);
    meters.record(status, System.nanoTime() - startNanos);
    return true;
  }
}
