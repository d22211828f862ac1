package dev.weir.server.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads bodies, with bounds on their size, on the time they take, and on the memory that all of
 * them hold. Used by one event loop.
 */
final class RequestBodyReader {
  private final RequestTracker tracker;

  RequestBodyReader(RequestTracker tracker) {
    this.tracker = tracker;
  }

  /**
   * Passes on the whole body, or answers with an error.
   *
   * @param shed whether the request may be refused because others hold too much
   */
  void read(Exchange exchange, int mostBytes, boolean shed, Handler<Buffer> whole) {
    String length = exchange.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && tooLong(length, mostBytes)) {
      exchange.refuse(tooLarge(mostBytes));
      return;
    }
    int announced = length == null ? 0 : Integer.parseInt(length);
    exchange.hold(announced); // counted before it is read, because it may arrive at any time
    Reading reading = new Reading(exchange, mostBytes, announced, shed, whole);
    if (reading.hasRoom()) {
      reading.start();
    }
  }

  private static boolean tooLong(String length, int mostBytes) {
    return length.length() > 9 || Integer.parseInt(length) > mostBytes;
  }

  private static BadRequestException tooLarge(int mostBytes) {
    return new BadRequestException(413, "the body must be at most " + mostBytes + " bytes");
  }

  /** One body, on its way. */
  private final class Reading extends UnfinishedRequest {
    private final Exchange exchange;
    private final int mostBytes;
    private final boolean shed;
    private final Handler<Buffer> whole;
    private int held;
    private Buffer body = Buffer.buffer(0);
    private boolean done;

    Reading(Exchange exchange, int mostBytes, int announced, boolean shed, Handler<Buffer> whole) {
      super(exchange.startNanos());
      this.exchange = exchange;
      this.mostBytes = mostBytes;
      this.held = announced;
      this.shed = shed;
      this.whole = whole;
    }

    void start() {
      HttpServerRequest request = exchange.request();
      request
          .exceptionHandler(cut -> end(new BadRequestException("the body was cut off")))
          .handler(this::add)
          .endHandler(end -> finish());
      tracker.add(this);
    }

    private void add(Buffer chunk) {
      if (done) {
        return;
      }
      int size = body.length() + chunk.length();
      if (size > mostBytes) {
        end(tooLarge(mostBytes));
        return;
      }
      if (size > held) {
        exchange.hold(size - held);
        held = size;
        if (!hasRoom()) {
          return;
        }
      }
      body = body.length() == 0 ? chunk : body.appendBuffer(chunk);
    }

    boolean hasRoom() {
      if (!tracker.hasRoom() && !done && drop()) {
        tracker.giveUp(this);
      }
      return !done;
    }

    private void finish() {
      if (!done) {
        done = true;
        tracker.remove(this);
        whole.handle(body);
      }
    }

    private void end(BadRequestException why) {
      if (!done) {
        done = true;
        tracker.remove(this);
        body = Buffer.buffer(0);
        exchange.refuse(why);
      }
    }

    @Override
    void endLate(long mostMillis) {
      end(new BadRequestException(408, "the body did not arrive in " + mostMillis + " ms"));
    }

    @Override
    boolean drop() {
      if (shed) {
        done = true;
        body = Buffer.buffer(0);
        exchange.release();
      }
      return shed;
    }

    @Override
    void giveUp() {
      exchange.closeAfterAnswer();
      exchange.overloaded("requests under way hold too much memory, and this one is unfinished");
    }
  }
}
