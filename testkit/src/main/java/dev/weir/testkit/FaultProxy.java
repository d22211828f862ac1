package dev.weir.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy between a client and a real server on this machine that simulates faults of a
 * network. Safe for many threads.
 *
 * <p>A connection that has lost bytes never carries any again, whatever is set later: TCP delivers
 * everything in order or breaks, so a gap in the middle would be a fault that does not exist.
 */
public final class FaultProxy implements AutoCloseable {
  private static final Course CLEAR = new Course(Duration.ZERO, Duration.ZERO, 0, false);

  private final int serverPort;
  private final ServerSocket listener;
  private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable ReplyFault> nextReply = new AtomicReference<>();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder toServer = new LongAdder();
  private final LongAdder toClient = new LongAdder();
  private final Object changes = new Object();
  private final Thread acceptor;

  private volatile Course course = CLEAR;
  private volatile boolean refuses;

  /** How bytes travel now; 0 bytes per second is as fast as they come. */
  record Course(Duration toServer, Duration toClient, int bytesPerSecond, boolean blackhole) {}

  /** What happens once to the reply that comes next: so many bytes pass, then nothing does. */
  record ReplyFault(int passes, boolean cuts) {}

  private FaultProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    acceptor = ProxiedConnection.daemon("fault-proxy-accept", this::accept);
  }

  /** Opens a proxy to this port of this machine that passes everything at first. */
  public static FaultProxy to(int serverPort) {
    FaultProxy proxy = new FaultProxy(serverPort);
    proxy.acceptor.start();
    return proxy;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Ends every fault: held bytes are passed on at once, and new connections are accepted. */
  public void pass() {
    nextReply.set(null);
    refuses = false;
    set(CLEAR);
  }

  /** Holds everything that is read back for at least that long. */
  public void delay(Duration towardsServer, Duration towardsClient) {
    set(new Course(towardsServer, towardsClient, 0, false));
  }

  /** Lets this many bytes through per second and direction. */
  public void slow(int bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytesPerSecond must be 1 or more, was " + bytesPerSecond);
    }
    set(new Course(Duration.ZERO, Duration.ZERO, bytesPerSecond, false));
  }

  /** Accepts connections and bytes and passes nothing on, without an error. */
  public void blackhole() {
    set(new Course(Duration.ZERO, Duration.ZERO, 0, true));
  }

  /** Resets every connection there is. */
  public void cut() {
    open.forEach(ProxiedConnection::reset);
  }

  /** Resets the connection of the next reply after this many of its bytes, or at its end. */
  public void cutNextReplyAfter(int bytes) {
    nextReply.set(new ReplyFault(bytes, true));
  }

  /** Swallows the next reply, which the server has sent, and resets its connection. */
  public void dropNextReply() {
    cutNextReplyAfter(0);
  }

  /** Swallows the next reply and everything after it on its connection, without a reset. */
  public void loseNextReply() {
    nextReply.set(new ReplyFault(0, false));
  }

  /** Resets new connections as soon as they are made; those there are go on. */
  public void refuse() {
    refuses = true;
  }

  /** How many connections were ever let in. */
  public long connections() {
    return accepted.sum();
  }

  public int openConnections() {
    return open.size();
  }

  /** How many connections were turned away. */
  public long refusals() {
    return refused.sum();
  }

  public long bytesToServer() {
    return toServer.sum();
  }

  public long bytesToClient() {
    return toClient.sum();
  }

  @Override
  public void close() {
    try {
      listener.close();
      acceptor.join(5_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    open.forEach(ProxiedConnection::close);
  }

  Course course() {
    return course;
  }

  /** Takes the fault that waits for a reply, if there is one. */
  @Nullable ReplyFault takeReplyFault() {
    return nextReply.get() == null ? null : nextReply.getAndSet(null);
  }

  void count(boolean reply, int bytes) {
    (reply ? toClient : toServer).add(bytes);
  }

  void ended(ProxiedConnection connection) {
    open.remove(connection);
    synchronized (changes) {
      changes.notifyAll();
    }
  }

  /** Waits, but not beyond the end of this course or of the connection. */
  void hold(ProxiedConnection connection, Course held, Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    synchronized (changes) {
      for (long left = time.toNanos();
          left > 0 && course == held && open.contains(connection);
          left = deadline - System.nanoTime()) {
        changes.wait(left / 1_000_000, (int) (left % 1_000_000));
      }
    }
  }

  private void set(Course next) {
    synchronized (changes) {
      course = next;
      changes.notifyAll();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        admit(listener.accept());
      } catch (IOException closedOrAway) {
        // if the listener is still open, only this client could not be connected
      }
    }
  }

  private void admit(Socket client) throws IOException {
    if (refuses) {
      refused.increment();
      ProxiedConnection.reset(client);
      return;
    }
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
    } catch (IOException unreachable) {
      ProxiedConnection.reset(client);
      throw unreachable;
    }
    ProxiedConnection connection = new ProxiedConnection(this, client, server);
    open.add(connection);
    accepted.increment();
    connection.start();
  }
}
