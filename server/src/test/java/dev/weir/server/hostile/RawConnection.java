package dev.weir.server.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** A connection on which a test sends any bytes it likes. */
final class RawConnection implements Closeable {
  private static final int PATIENCE_MILLIS = 20_000;

  private static final int SMALL_BUFFER = 4096;

  private final SocketChannel channel;
  private final Socket socket;

  RawConnection(int port) throws IOException {
    this(port, Optional.empty());
  }

  private RawConnection(int port, Optional<Integer> receiveBuffer) throws IOException {
    channel = SocketChannel.open();
    socket = channel.socket();
    if (receiveBuffer.isPresent()) {
      socket.setReceiveBufferSize(receiveBuffer.get());
    }
    channel.connect(new InetSocketAddress("127.0.0.1", port));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** How long it waits for bytes, if not for {@value #PATIENCE_MILLIS} ms. */
  RawConnection waitingAtMost(int millis) throws IOException {
    socket.setSoTimeout(millis);
    return this;
  }

  /** For a client that does not read: hardly any answer fits on its side. */
  static RawConnection withSmallBuffer(int port) throws IOException {
    return new RawConnection(port, Optional.of(SMALL_BUFFER));
  }

  /** Does not wait for a server that has stopped reading. */
  void sendWhatFits(String text) throws IOException {
    channel.configureBlocking(false);
    channel.write(ByteBuffer.wrap(text.getBytes(ISO_8859_1)));
    channel.configureBlocking(true);
  }

  RawConnection send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** All that comes until the server closes; fails if it does not. */
  String readToEnd() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
  }

  /** All that comes until a text has come so many times. */
  String readUntil(String text, int times) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    byte[] some = new byte[65_536];
    while (count(all.toString(ISO_8859_1), text) < times) {
      int count = in.read(some);
      if (count < 0) {
        break;
      }
      all.write(some, 0, count);
    }
    return all.toString(ISO_8859_1);
  }

  static int count(String all, String text) {
    return all.split(java.util.regex.Pattern.quote(text), -1).length - 1;
  }

  boolean isClosed() {
    try {
      socket.setSoTimeout(1);
      while (socket.getInputStream().read() >= 0) {
        continue; // an answer, perhaps
      }
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException alreadyCut) {
      // which is what was wanted
    }
  }
}
