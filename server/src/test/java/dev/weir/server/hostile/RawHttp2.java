package dev.weir.server.hostile;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Writes the frames of HTTP/2 one by one, also those that no decent client would. */
public final class RawHttp2 implements Closeable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int GOAWAY = 7;

  private static final String GRPC_PATH =
      "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int ACK = 1;
  private static final int INITIAL_WINDOW_SIZE = 4;

  private final Socket socket;
  private final String scheme;
  private final OutputStream out;
  private final DataInputStream in;

  /** One frame that the server has sent. */
  record Frame(int type, int flags, int stream, byte[] payload) {
    boolean isEnd() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }

    int code() {
      return ByteBuffer.wrap(payload).getInt();
    }
  }

  /**
   * @param window how many bytes of each answer the server may send
   */
  RawHttp2(SSLContext trusting, int port, int window) throws IOException {
    this(secured(trusting, port), "https", window);
  }

  private static SSLSocket secured(SSLContext trusting, int port) throws IOException {
    SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    return socket;
  }

  /** Without TLS, as proxies talk gRPC. */
  public static RawHttp2 inCleartext(int port, int window) throws IOException {
    return new RawHttp2(new Socket("127.0.0.1", port), "http", window);
  }

  private RawHttp2(Socket socket, String scheme, int window) throws IOException {
    this.socket = socket;
    this.scheme = scheme;
    socket.setSoTimeout(20_000);
    out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    in = new DataInputStream(socket.getInputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    byte[] settings =
        ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array();
    frame(SETTINGS, 0, 0, settings);
    out.flush();
  }

  /** A whole request, or the head of one whose body follows. */
  void head(int stream, String method, String path, boolean whole, Map<String, String> more)
      throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", method);
    field(block, ":scheme", scheme);
    field(block, ":authority", "localhost");
    field(block, ":path", path);
    for (Map.Entry<String, String> field : more.entrySet()) {
      field(block, field.getKey(), field.getValue());
    }
    int flags = whole ? END_HEADERS | END_STREAM : END_HEADERS;
    frame(HEADERS, flags, stream, block.toByteArray());
  }

  /** The head of a question that a proxy asks over gRPC. */
  public void call(int stream, Map<String, String> more) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>(more);
    fields.put("content-type", "application/grpc");
    fields.put("te", "trailers");
    head(stream, "POST", GRPC_PATH, false, fields);
  }

  /** Five bytes that announce a message of gRPC, and the message or a part of it. */
  public static byte[] message(int announced, byte[] sent) {
    return ByteBuffer.allocate(5 + sent.length).put((byte) 0).putInt(announced).put(sent).array();
  }

  public void data(int stream, byte[] bytes, boolean end) throws IOException {
    frame(DATA, end ? END_STREAM : 0, stream, bytes);
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(9);
    head.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    head.put((byte) type).put((byte) flags).putInt(stream);
    out.write(head.array());
    out.write(payload);
  }

  public void flush() throws IOException {
    out.flush();
  }

  Frame read() throws IOException {
    int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    Frame frame =
        new Frame(in.readUnsignedByte(), in.readUnsignedByte(), in.readInt(), new byte[length]);
    in.readFully(frame.payload);
    if (frame.type == SETTINGS && (frame.flags & ACK) == 0) {
      frame(SETTINGS, ACK, 0, new byte[0]);
      out.flush();
    }
    return frame;
  }

  /** The first frame of a kind on a stream. */
  Frame await(int type, int stream) throws IOException {
    Frame frame = read();
    while (frame.type != type || frame.stream != stream) {
      frame = read();
    }
    return frame;
  }

  /** A literal field that is not indexed (RFC 7541, section 6.2.2), without Huffman coding. */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    integer(block, bytes.length);
    block.writeBytes(bytes);
  }

  /** With a prefix of seven bits (RFC 7541, section 5.1). */
  private static void integer(ByteArrayOutputStream block, int value) {
    if (value < 127) {
      block.write(value);
      return;
    }
    block.write(127);
    int rest = value - 127;
    while (rest >= 128) {
      block.write(rest % 128 + 128);
      rest /= 128;
    }
    block.write(rest);
  }

  /** Whether the server has closed; what it sent before is thrown away. */
  boolean isClosed() {
    try {
      socket.setSoTimeout(1);
      while (in.read() >= 0) {
        continue;
      }
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
