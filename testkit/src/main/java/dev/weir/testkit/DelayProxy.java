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
 * A TCP proxy that makes a server of this machine far away: every byte arrives a fixed time after
 * it was sent, however many are on their way. Safe for many threads.
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

  /** Opens a proxy to this port of this machine, so many milliseconds away and back. */
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
        // the listener says which: if it is open, only this client found no server
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
      // closed already, which is all that is wanted
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
