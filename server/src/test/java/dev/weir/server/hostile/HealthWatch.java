package dev.weir.server.hostile;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks for the health every 50 ms, as a supervisor does, and keeps how long each answer took, and
 * how much of that neither a wait for a processor nor a stall of this process explains.
 */
final class HealthWatch implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000_000;

  private final HttpClient client;
  private final HttpRequest request;
  private final Thread thread = new Thread(this::run, "health-watch");
  private final List<Long> micros = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> unexplainedMicros = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> stallMicros = Collections.synchronizedList(new ArrayList<>());
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final long pid;
  private final StallProbe stalls;
  private volatile boolean stopped;

  HealthWatch(HttpClient client, String url, long pid, StallProbe stalls) {
    this.client = client;
    this.pid = pid;
    this.stalls = stalls;
    this.request =
        HttpRequest.newBuilder(URI.create(url + "/healthz"))
            .timeout(Duration.ofSeconds(10))
            .build();
    thread.start();
  }

  private void run() {
    WaitForProcessor here = WaitForProcessor.ofClient();
    WaitForProcessor there = WaitForProcessor.ofService(pid);
    while (!stopped) {
      here.longestNanos();
      there.longestNanos();
      long stalled = stalls.stalledNanos();
      long start = System.nanoTime();
      try {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
          failures.add("status " + answer.statusCode());
        }
      } catch (IOException unanswered) {
        failures.add(String.valueOf(unanswered));
      } catch (InterruptedException ended) {
        return;
      }
      long nanos = System.nanoTime() - start;
      micros.add(nanos / 1000);
      long waited = here.longestNanos() + there.longestNanos();
      long excused = Math.max(waited, stalls.stalledNanos() - stalled); // they overlap
      unexplainedMicros.add((nanos - excused) / 1000);
      pause();
    }
  }

  /** How much longer a pause takes than asked for says how busy the machine itself is. */
  private void pause() {
    long start = System.nanoTime();
    LockSupport.parkNanos(PAUSE_NANOS);
    stallMicros.add((System.nanoTime() - start - PAUSE_NANOS) / 1000);
  }

  /** Forgets what was measured so far, while both processes were cold. */
  void restart() {
    micros.clear();
    unexplainedMicros.clear();
    stallMicros.clear();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  int asked() {
    return micros.size();
  }

  /** In milliseconds. */
  double percentile(double share) {
    return percentile(micros, share);
  }

  /** The same without waits for a processor, in client and service, and stalls of the client. */
  double unexplained(double share) {
    return percentile(unexplainedMicros, share);
  }

  /** Of the stalls of this machine, in milliseconds. */
  double stall(double share) {
    return percentile(stallMicros, share);
  }

  private static double percentile(List<Long> micros, double share) {
    List<Long> sorted = new ArrayList<>(micros);
    Collections.sort(sorted);
    int place = (int) Math.min(sorted.size() - 1L, Math.round(share * (sorted.size() - 1)));
    return sorted.isEmpty() ? Double.NaN : sorted.get(place) / 1000.0;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
