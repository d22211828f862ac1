package dev.weir.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy that adds network latency to a server on this machine: every byte arrives a fixed
 * time after it was sent, however many are on their way. Safe for many threads.
 */
public final class DelayProxy implements AutoCloseable {
  private static final byte[] END = {};

  private final int serverPort;
  private final long oneWayNanos;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private record Chunk(byte[] bytes, long dueNanos) {}

  private DelayProxy(int serverPort, Duration roundTrip) {
    this.serverPort = serverPort;
    this.oneWayNanos = roundTrip.toNanos() / 2;
    try {
      listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens a proxy to this port of this machine with this round trip time. */
  public static DelayProxy to(int serverPort, Duration roundTrip) {
    DelayProxy proxy = new DelayProxy(serverPort, roundTrip);
    ProxiedConnection.daemon("delay-proxy-accept", proxy::accept).start();
    return proxy;
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        pipe(client, server);
        pipe(server, client);
      } catch (IOException closedOrAway) {
        // if the listener is still open, only this client could not be connected
      }
    }
  }

  private void pipe(Socket from, Socket to) throws IOException {
    from.setTcpNoDelay(true);
    open.add(from);
    BlockingQueue<Chunk> way = new LinkedBlockingQueue<>();
    ProxiedConnection.daemon("delay-proxy-read", () -> read(from, way)).start();
    ProxiedConnection.daemon("delay-proxy-write", () -> write(way, to)).start();
  }

  private void read(Socket from, BlockingQueue<Chunk> way) {
    byte[] buffer = new byte[8192];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        way.add(new Chunk(Arrays.copyOf(buffer, n), System.nanoTime() + oneWayNanos));
      }
    } catch (IOException broken) {
      // ends the connection like its regular end
    }
    way.add(new Chunk(END, System.nanoTime() + oneWayNanos));
  }

  private void write(BlockingQueue<Chunk> way, Socket to) {
    try {
      for (Chunk next = way.take(); next.bytes != END; next = way.take()) {
        for (long left = next.dueNanos - System.nanoTime();
            left > 0;
            left = next.dueNanos - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        to.getOutputStream().write(next.bytes);
      }
    } catch (IOException broken) {
      // both sides are closed below
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close(to);
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException gone) {
      // closed already
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(this::close);
  }
}
