package dev.weir.server.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads bodies that are bounded in size and in the time they take. Used by one event loop.
 *
 * <p>All bodies have the same time, so the first to begin is the first to be late: a queue that is
 * looked at now and then does for all, and no timer is started per request.
 */
public final class RequestBodyReader {
  private final long mostMillis;
  private final Deque<Reading> underWay = new ArrayDeque<>();

  public RequestBodyReader(long mostMillis) {
    this.mostMillis = mostMillis;
  }

  /** Hands on the whole body, or calls {@code refused} once with what is wrong. */
  void read(
      HttpServerRequest request,
      int mostBytes,
      Handler<Buffer> whole,
      Handler<BadRequestException> refused) {
    String length = request.getHeader("Content-Length");
    if (length != null && tooLong(length, mostBytes)) {
      refused.handle(tooLarge(mostBytes));
      return;
    }
    while (!underWay.isEmpty() && underWay.getFirst().done) {
      underWay.removeFirst();
    }
    underWay.addLast(new Reading(request, mostBytes, whole, refused).start());
  }

  /** Ends those that take too long; to be called every second or so. */
  public void endLate(long nowMillis) {
    while (!underWay.isEmpty()) {
      Reading first = underWay.getFirst();
      if (!first.done && nowMillis - first.beganMillis < mostMillis) {
        return;
      }
      underWay.removeFirst();
      first.end(new BadRequestException(408, "the body did not arrive in " + mostMillis + " ms"));
    }
  }

  private static boolean tooLong(String length, int mostBytes) {
    return length.length() > 9 || Integer.parseInt(length) > mostBytes;
  }

  private static BadRequestException tooLarge(int mostBytes) {
    return new BadRequestException(413, "the body must be at most " + mostBytes + " bytes");
  }

  /** One body, on its way. */
  private static final class Reading {
    private final HttpServerRequest request;
    private final int mostBytes;
    private final Handler<Buffer> whole;
    private final Handler<BadRequestException> refused;
    private final long beganMillis = System.currentTimeMillis();
    private Buffer body = Buffer.buffer(0);
    private boolean done;

    Reading(
        HttpServerRequest request,
        int mostBytes,
        Handler<Buffer> whole,
        Handler<BadRequestException> refused) {
      this.request = request;
      this.mostBytes = mostBytes;
      this.whole = whole;
      this.refused = refused;
    }

    Reading start() {
      request
          .exceptionHandler(cut -> end(new BadRequestException("the body was cut off")))
          .handler(this::add)
          .endHandler(end -> finish());
      return this;
    }

    private void add(Buffer chunk) {
      if (done) {
        return;
      }
      if (body.length() + chunk.length() > mostBytes) {
        end(tooLarge(mostBytes));
      } else {
        body = body.length() == 0 ? chunk : body.appendBuffer(chunk);
      }
    }

    private void finish() {
      if (!done) {
        done = true;
        whole.handle(body);
      }
    }

    private void end(BadRequestException why) {
      if (!done) {
        done = true;
        refused.handle(why);
      }
    }
  }
}
