package dev.weir.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes the requests under way hold, over all event loops: header fields, bodies as
 * announced, and answers that clients have not read. Safe for many threads.
 *
 * <p>From three quarters of the bound on, requests that stay unfinished for the longest time are
 * given up to make room. A request that arrives completely is hardly ever among them, so a client
 * that keeps thousands of bodies unfinished does not shut out others. Above the bound itself,
 * requests are shed.
 */
public final class RequestMemory {
  private final long most;
  private final long soft;
  private final AtomicLong leaving = new AtomicLong();
  private final List<AtomicLong> byLoop = new CopyOnWriteArrayList<>();
  private final Counter givenUp;
  private final List<Runnable> makeRoom = new CopyOnWriteArrayList<>();

  public RequestMemory(long mostBytes, MeterRegistry registry) {
    most = mostBytes;
    soft = mostBytes / 4 * 3;
    givenUp =
        Counter.builder("weir.http.given.up")
            .description("Unfinished requests given up because those under way held too much")
            .register(registry);
    Gauge.builder("weir.http.request.bytes", this, RequestMemory::held)
        .description("Bytes held by requests under way: fields, bodies, unread answers")
        .strongReference(true)
        .register(registry);
  }

  /**
   * @param makeRoom called on any thread while there is too much; must not block
   */
  public void onPressure(Runnable makeRoom) {
    this.makeRoom.add(makeRoom);
  }

  /** Adds a counter for one more event loop or protocol. */
  public AtomicLong addLoop() {
    AtomicLong held = new AtomicLong();
    byLoop.add(held);
    return held;
  }

  /** Bytes that requests under way hold; 0 if there are none. */
  public long held() {
    long sum = 0;
    for (int i = 0; i < byLoop.size(); i++) { // no iterator: this runs for every request
      sum += byLoop.get(i).get();
    }
    return sum;
  }

  public boolean isHigh() {
    return held() > soft;
  }

  public boolean isFull() {
    return held() + leaving.get() > most;
  }

  /**
   * Adds bytes of requests that were given up but are not released yet, because their event loop is
   * late. They count against new requests only, so that no further requests are given up for them.
   *
   * @param bytes below 0 when they are gone
   */
  public void leaving(long bytes) {
    leaving.addAndGet(bytes);
  }

  public void countGivenUp(int requests) {
    givenUp.increment(requests);
  }

  public void askAllForRoom() {
    makeRoom.forEach(Runnable::run);
  }
}
