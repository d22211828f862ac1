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

/** Asks for the health every 50 ms, as a supervisor does, and keeps how long each answer took. */
final class HealthWatch implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000_000;

  /** What the machine does at a moment is what it does in the half second around it. */
  private static final long MOMENT_NANOS = 500_000_000;

  private final HttpClient client;
  private final HttpRequest request;
  private final Thread thread = new Thread(this::run, "health-watch");
  private final List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean stopped;

  /** When a question was asked and when it was answered, by {@link System#nanoTime}. */
  record Answer(long askedNanos, long endNanos) {
    long nanos() {
      return endNanos - askedNanos;
    }

    boolean isNear(Answer other) {
      return askedNanos - MOMENT_NANOS - other.endNanos < 0
          && other.askedNanos - endNanos - MOMENT_NANOS < 0;
    }
  }

  HealthWatch(HttpClient client, String url) {
    this.client = client;
    this.request =
        HttpRequest.newBuilder(URI.create(url + "/healthz"))
            .timeout(Duration.ofSeconds(20))
            .build();
    thread.start();
  }

  private void run() {
    while (!stopped) {
      long asked = System.nanoTime();
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
      answers.add(new Answer(asked, System.nanoTime()));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Forgets what was measured so far, while all processes were cold. */
  void restart() {
    answers.clear();
    failures.clear();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  int asked() {
    return answers.size();
  }

  /** In milliseconds, as it was measured. */
  double percentile(double share) {
    return percentile(answers().stream().map(Answer::nanos).toList(), share);
  }

  /** In milliseconds, of the questions since a time of {@link System#nanoTime}. */
  double longestSince(long nanos) {
    return answers().stream()
            .filter(answer -> answer.askedNanos - nanos >= 0)
            .mapToLong(Answer::nanos)
            .max()
            .orElse(0)
        / 1e6;
  }

  /**
   * In milliseconds, each answer less the slowest single one that a server without attackers gave
   * at the same time.
   */
  double percentileBeyond(HealthWatch control, double share) {
    List<Answer> others = control.answers();
    return percentile(
        answers().stream().map(answer -> answer.nanos() - slowestNear(answer, others)).toList(),
        share);
  }

  private static long slowestNear(Answer answer, List<Answer> others) {
    return others.stream().filter(answer::isNear).mapToLong(Answer::nanos).max().orElse(0);
  }

  private List<Answer> answers() {
    synchronized (answers) {
      return List.copyOf(answers);
    }
  }

  private static double percentile(List<Long> nanos, double share) {
    List<Long> sorted = nanos.stream().sorted().toList();
    int place = (int) Math.min(sorted.size() - 1L, Math.round(share * (sorted.size() - 1)));
    return sorted.isEmpty() ? Double.NaN : sorted.get(place) / 1e6;
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
