package dev.weir.server.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.util.function.Supplier;

/** One request and its one answer, and the memory both hold. Used by one event loop. */
public final class Exchange {
  public static final String JSON = "application/json";
  static final String PROBLEM = "application/problem+json";

  private static final String OVERLOAD_TYPE =
      "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

  /** What a request holds besides its body: its objects, a few fields, a small answer. */
  private static final int USUAL_BYTES = 4096;

  private static final int HTTP2_NO_ERROR = 0;

  private static final DateField DATE = new DateField();

  private final HttpServerRequest request;
  private final CallMeters meters;
  private final RequestTracker tracker;
  private final long startMillis;
  private final long startNanos = System.nanoTime();
  private long answeredNanos;
  private long held;
  private boolean answered;
  private boolean closeAfterAnswer;
  private boolean ofAdministrator;

  /**
   * @param startMillis the time of day, which is read once per request
   */
  Exchange(HttpServerRequest request, CallMeters meters, RequestTracker tracker, long startMillis) {
    this.request = request;
    this.meters = meters;
    this.tracker = tracker;
    this.startMillis = startMillis;
    hold(isHttp2() ? USUAL_BYTES + fieldBytes(request) : USUAL_BYTES);
  }

  /** Over HTTP/1 a connection has one request at a time, whose fields are part of its own cost. */
  private static long fieldBytes(HttpServerRequest request) {
    long bytes = 0;
    for (var field : request.headers()) {
      bytes += field.getKey().length() + field.getValue().length();
    }
    return bytes;
  }

  public HttpServerRequest request() {
    return request;
  }

  public HttpServerResponse response() {
    return request.response();
  }

  /** By {@link System#nanoTime}. */
  long startNanos() {
    return startNanos;
  }

  /** Marks the exchange as one that is not given up when memory is short. */
  public void ofAdministrator() {
    ofAdministrator = true;
  }

  /** Counts memory that is released when the answer has been sent. */
  void hold(long bytes) {
    held += bytes;
    tracker.hold(bytes);
  }

  public void json(JsonObject body) {
    json(200, body);
  }

  public void json(int status, JsonObject body) {
    answer(status, JSON, body.encode() + "\n");
  }

  public void answer(int status, String contentType, String body) {
    answer(status, contentType, Buffer.buffer(body));
  }

  /**
   * @param body may be shared by many answers, and must not change
   */
  public void answer(int status, String contentType, Buffer body) {
    if (take(status)) {
      if (body.length() > USUAL_BYTES) {
        hold(body.length() - USUAL_BYTES);
      }
      response().putHeader(HttpHeaders.CONTENT_TYPE, contentType);
      send(() -> response().end(body));
    }
  }

  public void answerWithoutBody(int status) {
    if (take(status)) {
      send(response()::end);
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
      closeAfterAnswer(); // the rest of the body is not read
    }
    problem(why.status, title(why.status), why.getMessage());
  }

  /** Answers 503, with a second to wait. */
  void overloaded(String detail) {
    response().putHeader("Retry-After", "1").putHeader("Cache-Control", "no-store");
    problem(503, OVERLOAD_TYPE, "Temporary Reduced Capacity", detail);
  }

  /** Nothing that follows on this connection, or on this stream of HTTP/2, will be read. */
  void closeAfterAnswer() {
    closeAfterAnswer = true;
  }

  private static String title(int status) {
    return switch (status) {
      case 403 -> "Forbidden";
      case 408 -> "Request Timeout";
      case 413 -> "Content Too Large";
      default -> "Bad Request";
    };
  }

  /** An answer that comes too late, or twice, is dropped. */
  private boolean take(int status) {
    if (answered) {
      return false;
    }
    answered = true;
    if (response().ended() || response().closed()) {
      release();
      return false;
    }
    response().setStatusCode(status).putHeader(HttpHeaders.DATE, DATE.at(startMillis));
    closeAfterAnswer |= tracker.isClosing() && !isHttp2();
    if (closeAfterAnswer && !isHttp2()) {
      response().putHeader("Connection", "close");
    }
    answeredNanos = System.nanoTime();
    meters.record(status, answeredNanos - startNanos);
    return true;
  }

  /**
   * Until the client has read the answer, the exchange can be given up to free memory. On an HTTP/1
   * connection, later requests are not read meanwhile: Vert.x starts the next one when the previous
   * answer has left its queue, which holds one answer beyond the marks of the transport.
   */
  private void send(Supplier<Future<Void>> ending) {
    UnreadAnswer unread = new UnreadAnswer();
    tracker.add(unread);
    ending
        .get()
        .onComplete(
            done -> {
              forget(unread);
              if (done.succeeded()) {
                end();
              }
            });
  }

  private void forget(UnreadAnswer unread) {
    tracker.remove(unread);
    release();
  }

  private void end() {
    if (closeAfterAnswer && isHttp2()) {
      response().reset(HTTP2_NO_ERROR); // the answer is whole; only the rest of the request is not
    } else if (closeAfterAnswer) {
      tracker.closeSoon(request.connection());
    }
  }

  void release() {
    tracker.release(held);
    held = 0;
  }

  private boolean isHttp2() {
    return request.version() == HttpVersion.HTTP_2;
  }

  /** An answer that the client has not read yet. */
  private final class UnreadAnswer extends UnfinishedRequest {
    UnreadAnswer() {
      super(answeredNanos);
    }

    @Override
    void endLate(long mostMillis) {
      giveUp();
    }

    @Override
    boolean drop() {
      if (!ofAdministrator) {
        release();
      }
      return !ofAdministrator;
    }

    @Override
    void giveUp() {
      if (isHttp2()) {
        response().reset();
      } else {
        tracker.closeNow(request.connection());
      }
    }
  }
}
