package dev.weir.benchmarks.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Locale;
import java.util.function.LongFunction;

/** One connection, on which questions are written in a row and their answers read in a row. */
final class Connection implements AutoCloseable {
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;
  private final int number;
  private final int connections;
  private long asked;

  Connection(int port, int number, int connections) throws IOException {
    this.socket = new Socket("127.0.0.1", port);
    this.socket.setTcpNoDelay(true);
    this.out = socket.getOutputStream();
    this.in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    this.number = number;
    this.connections = connections;
  }

  /** Asks so many questions and waits for all answers; each must be 200. */
  void ask(int questions, LongFunction<String> body) throws IOException {
    StringBuilder requests = new StringBuilder(questions * 160);
    for (int i = 0; i < questions; i++) {
      String question = body.apply(asked++ * connections + number);
      requests
          .append("POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: ")
          .append(question.length())
          .append("\r\n\r\n")
          .append(question);
    }
    out.write(requests.toString().getBytes(ISO_8859_1));
    for (int i = 0; i < questions; i++) {
      readAnswer();
    }
  }

  private void readAnswer() throws IOException {
    String status = line();
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("the answer must be 200, was " + status);
    }
    int length = 0;
    String header = line();
    while (!header.isEmpty()) {
      if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
      header = line();
    }
    in.skipNBytes(length);
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder(64);
    int c = in.read();
    while (c != '\r') {
      if (c < 0) {
        throw new EOFException("the server has closed the connection");
      }
      text.append((char) c);
      c = in.read();
    }
    in.read(); // the line feed
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "connection %d of %d", number, connections);
  }
}
