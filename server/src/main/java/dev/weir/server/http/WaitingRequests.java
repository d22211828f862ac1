package dev.weir.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests wait for a decision, over all event loops; more than the bound are shed. Safe
 * for many threads.
 */
public final class WaitingRequests {
  private final int most;
  private final AtomicInteger now;
  private final Counter shed;

  private WaitingRequests(int most, AtomicInteger now, Counter shed) {
    this.most = most;
    this.now = now;
    this.shed = shed;
  }

  public WaitingRequests(int most, MeterRegistry registry) {
    this.most = most;
    now = new AtomicInteger();
    shed =
        Counter.builder("weir.http.shed")
            .description("Requests refused with 503 because too many were under way")
            .register(registry);
    Gauge.builder("weir.http.in.flight", now, AtomicInteger::get)
        .description("Requests that wait for a decision")
        .strongReference(true)
        .register(registry);
  }

  /** The same count without the bound: for administrators, who are needed most under overload. */
  WaitingRequests unbounded() {
    return new WaitingRequests(Integer.MAX_VALUE, now, shed);
  }

  public boolean tryEnter() {
    if (now.incrementAndGet() <= most) {
      return true;
    }
    now.decrementAndGet();
    countShed();
    return false;
  }

  void countShed() {
    shed.increment();
  }

  public void leave() {
    now.decrementAndGet();
  }

  public int now() {
    return now.get();
  }
}
