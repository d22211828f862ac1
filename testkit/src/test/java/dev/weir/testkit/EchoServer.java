package dev.weir.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Sends back what it is sent, one thread per connection. */
final class EchoServer implements AutoCloseable {
  private final ServerSocket listener;

  EchoServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        daemon(() -> echo(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void echo(Socket client) {
    try (client) {
      client.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException gone) {
      // the test cut it
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "echo");
    thread.setDaemon(true);
    thread.start();
  }
}
