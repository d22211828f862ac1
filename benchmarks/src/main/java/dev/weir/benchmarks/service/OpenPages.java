package dev.weir.benchmarks.service;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Open pages of the dashboard, each of which asks for what is new once a second, as {@code live.js}
 * does. Fails when it is closed if a page has not been answered.
 */
final class OpenPages {
  private static final Pattern FIRST = Pattern.compile("\"seconds\":\\{\"first\":(\\d+)");
  private static final Pattern ALLOWED = Pattern.compile("\"allowed\":\\[([^\\]]*)\\]");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI live;
  private final List<Thread> pages = new ArrayList<>();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile boolean closed;

  private OpenPages(int port) {
    live = URI.create("http://127.0.0.1:" + port + "/dashboard/live?after=");
  }

  static OpenPages of(int port, int count) {
    OpenPages open = new OpenPages(port);
    for (int i = 0; i < count; i++) {
      Thread page = new Thread(open::show, "page-" + i);
      page.start();
      open.pages.add(page);
    }
    return open;
  }

  /** Asks so often without a pause, so that the service answers with compiled code afterwards. */
  static void warmUp(int port, int times) throws IOException, InterruptedException {
    OpenPages none = new OpenPages(port);
    long last = 0;
    for (int i = 0; i < times; i++) {
      last = lastSecond(none.ask(last), last);
    }
  }

  private void show() {
    try {
      long last = 0;
      while (!closed) {
        last = lastSecond(ask(last), last);
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      }
    } catch (IOException | InterruptedException failed) {
      failure.set(failed);
    }
  }

  private String ask(long after) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(live.toString() + after)).build();
    var answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("the answer must be 200, was " + answer.statusCode());
    }
    return answer.body();
  }

  /** What a page asks after next: the last second of the history that it was sent. */
  private static long lastSecond(String answer, long before) throws IOException {
    Matcher first = FIRST.matcher(answer);
    if (!first.find()) {
      throw new IOException("the answer must have seconds, was " + answer);
    }
    Matcher counts = ALLOWED.matcher(answer).region(first.end(), answer.length());
    boolean none = !counts.find() || counts.group(1).isEmpty();
    return none ? before : Long.parseLong(first.group(1)) + counts.group(1).split(",").length - 1;
  }

  void close() throws IOException, InterruptedException {
    closed = true;
    for (Thread page : pages) {
      LockSupport.unpark(page);
      page.join();
    }
    if (failure.get() != null) {
      throw new IOException("a page was not answered", failure.get());
    }
  }
}
