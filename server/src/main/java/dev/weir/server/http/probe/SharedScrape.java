package dev.weir.server.http.probe;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Writes the metrics once for all scrapes that wait for them. A scrape that arrives while they are
 * written gets the next version, so none gets values from before its request. However many arrive,
 * one thread writes and at most two versions are kept. Safe for many threads.
 */
public final class SharedScrape {
  private final Supplier<String> scrape;
  private List<Promise<Buffer>> waiting = new ArrayList<>();
  private boolean running;

  public SharedScrape(Supplier<String> scrape) {
    this.scrape = scrape;
  }

  /**
   * @param thread where they are written, and the answer completes
   */
  Future<Buffer> get(WorkerExecutor thread) {
    Promise<Buffer> promise = Promise.promise();
    synchronized (this) {
      waiting.add(promise);
      if (running) {
        return promise.future();
      }
      running = true;
    }
    thread.executeBlocking(this::writeForAll, /* ordered= */ false);
    return promise.future();
  }

  private Void writeForAll() {
    List<Promise<Buffer>> promises = next();
    while (!promises.isEmpty()) {
      write(promises);
      promises = next();
    }
    return null;
  }

  private synchronized List<Promise<Buffer>> next() {
    List<Promise<Buffer>> promises = waiting;
    waiting = new ArrayList<>();
    running = !promises.isEmpty();
    return promises;
  }

  private void write(List<Promise<Buffer>> promises) {
    try {
      Buffer text = Buffer.buffer(scrape.get());
      promises.forEach(promise -> promise.complete(text));
    } catch (RuntimeException failed) {
      promises.forEach(promise -> promise.fail(failed));
    }
  }
}
