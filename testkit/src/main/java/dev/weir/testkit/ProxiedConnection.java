package dev.weir.testkit;

import dev.weir.testkit.FaultProxy.Course;
import dev.weir.testkit.FaultProxy.ReplyFault;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection through a {@link FaultProxy}, with a thread for each direction. */
final class ProxiedConnection {
  private static final int STEPS_PER_SECOND = 50;

  private final FaultProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Thread requests;
  private final Thread replies;
  private final AtomicInteger running = new AtomicInteger(2);

  /** Bytes were swallowed: nothing passes here any more. */
  private volatile boolean lost;

  ProxiedConnection(FaultProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    requests = daemon("fault-proxy-requests", () -> pump(client, server, false));
    replies = daemon("fault-proxy-replies", () -> pump(server, client, true));
  }

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    requests.start();
    replies.start();
  }

  /** Ends both sides with a reset. */
  void reset() {
    reset(client);
    reset(server);
    proxy.ended(this);
  }

  /** Both sides have closed their output. */
  private void end() throws IOException {
    client.close();
    server.close();
    proxy.ended(this);
  }

  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException gone) {
      // closed already
    }
  }

  void close() {
    reset();
    try {
      requests.join(5_000);
      replies.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pump(Socket from, Socket to, boolean reply) {
    byte[] buffer = new byte[8192];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        forward(buffer, n, to, reply);
      }
      if (!lost) {
        to.shutdownOutput();
      }
      if (running.decrementAndGet() == 0) {
        end();
      }
    } catch (IOException broken) {
      reset();
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    }
  }

  private void forward(byte[] buffer, int length, Socket to, boolean reply)
      throws IOException, InterruptedException {
    Course course = proxy.course();
    ReplyFault fault = reply && !lost ? proxy.takeReplyFault() : null;
    if (fault != null) {
      spoil(fault, buffer, length, to);
    } else if (lost || course.blackhole()) {
      lost = true;
    } else {
      proxy.hold(this, course, reply ? course.toClient() : course.toServer());
      pass(buffer, length, to, reply);
    }
  }

  private void spoil(ReplyFault fault, byte[] buffer, int length, Socket to) throws IOException {
    int passed = Math.min(fault.passes(), length);
    write(buffer, 0, passed, to, true);
    lost = true;
    if (fault.cuts()) {
      reset();
    }
  }

  private void pass(byte[] buffer, int length, Socket to, boolean reply)
      throws IOException, InterruptedException {
    for (int at = 0; at < length; ) {
      Course course = proxy.course();
      if (course.blackhole()) {
        lost = true;
        return;
      }
      int rate = course.bytesPerSecond();
      int most = rate == 0 ? length - at : Math.max(1, rate / STEPS_PER_SECOND);
      int step = Math.min(most, length - at);
      write(buffer, at, step, to, reply);
      at += step;
      if (rate > 0) {
        proxy.hold(this, course, Duration.ofNanos(1_000_000_000L * step / rate));
      }
    }
  }

  private void write(byte[] buffer, int at, int length, Socket to, boolean reply)
      throws IOException {
    proxy.count(reply, length); // counted first, so that a receiver finds its bytes counted
    to.getOutputStream().write(buffer, at, length);
  }
}
