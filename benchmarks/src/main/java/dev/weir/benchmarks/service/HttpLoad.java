package dev.weir.benchmarks.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Sends requests over several connections at once, each with some in flight. */
final class HttpLoad {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final int port;
  private final LoadShape shape;
  private final LongFunction<String> body;

  /** How requests are distributed. */
  enum LoadShape {
    /** As most clients do. */
    ONE_AT_A_TIME("one at a time on 16 connections", 16, 1),
    /** Pipelined, to measure the server and not the client. */
    IN_ROWS("16 in a row on 4 connections", 4, 16);

    final String inWords;
    final int connections;
    final int depth;

    LoadShape(String inWords, int connections, int depth) {
      this.inWords = inWords;
      this.connections = connections;
      this.depth = depth;
    }
  }

  /**
   * @param body of the n-th question
   */
  HttpLoad(int port, LoadShape shape, LongFunction<String> body) {
    this.port = port;
    this.shape = shape;
    this.body = body;
  }

  /** Requests per second over this time. */
  double perSecond(double seconds) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long end = start + (long) (seconds * NANOS_PER_SECOND);
    long answered = onAll(connection -> askUntil(connection, end));
    return answered * (double) NANOS_PER_SECOND / (System.nanoTime() - start);
  }

  /** Sends a number of requests, split evenly over the connections. */
  void ask(long questions) throws IOException, InterruptedException {
    onAll(connection -> askFrom(connection, questions / shape.connections));
  }

  private interface Work {
    long on(PipelinedConnection connection) throws IOException;
  }

  private long onAll(Work work) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(shape.connections);
    try {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < shape.connections; i++) {
        int number = i;
        all.add(threads.submit(() -> run(work, number)));
      }
      long answered = 0;
      for (Future<Long> one : all) {
        answered += one.get();
      }
      return answered;
    } catch (ExecutionException failed) {
      throw new IOException("a connection failed", failed.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private long run(Work work, int number) throws IOException {
    try (PipelinedConnection connection =
        new PipelinedConnection(port, number, shape.connections)) {
      return work.on(connection);
    }
  }

  private long askUntil(PipelinedConnection connection, long endNanos) throws IOException {
    long answered = 0;
    while (System.nanoTime() < endNanos) {
      connection.ask(shape.depth, body);
      answered += shape.depth;
    }
    return answered;
  }

  private long askFrom(PipelinedConnection connection, long questions) throws IOException {
    for (long asked = 0; asked < questions; asked += shape.depth) {
      connection.ask(shape.depth, body);
    }
    return questions;
  }

  /** One connection, on which questions are written in a row and their answers read in a row. */
  static final class PipelinedConnection implements AutoCloseable {
    private static final byte[] OK = "http/1.1 200".getBytes(ISO_8859_1);
    private static final byte[] LENGTH = "content-length:".getBytes(ISO_8859_1);

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private final int number;
    private final int connections;
    private final byte[] buffer = new byte[1 << 16];
    private final byte[] line = new byte[1 << 14];
    private int at;
    private int filled;
    private int lineLength;
    private long asked;

    PipelinedConnection(int port, int number, int connections) throws IOException {
      this.socket = new Socket("127.0.0.1", port);
      this.socket.setTcpNoDelay(true);
      this.out = socket.getOutputStream();
      this.in = socket.getInputStream();
      this.number = number;
      this.connections = connections;
    }

    /** Sends so many requests and waits for all answers; each must be 200. */
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
      readLine();
      if (!lineStartsWith(OK)) {
        throw new IOException("the answer must be 200, was " + line());
      }
      int length = 0;
      readLine();
      while (lineLength > 0) {
        if (lineStartsWith(LENGTH)) {
          length = Integer.parseInt(line().substring(LENGTH.length).strip());
        }
        readLine();
      }
      skip(length);
    }

    /**
     * Reads up to a line's end, into an array of our own: a client should cost as little as can be.
     */
    private void readLine() throws IOException {
      lineLength = 0;
      byte next = next();
      while (next != '\r') {
        line[lineLength++] = next;
        next = next();
      }
      next(); // the line feed
    }

    private byte next() throws IOException {
      if (at == filled) {
        fill();
      }
      return buffer[at++];
    }

    private void skip(int bytes) throws IOException {
      int left = bytes;
      while (left > 0) {
        if (at == filled) {
          fill();
        }
        int some = Math.min(left, filled - at);
        at += some;
        left -= some;
      }
    }

    private void fill() throws IOException {
      filled = in.read(buffer);
      at = 0;
      if (filled < 0) {
        throw new EOFException("the server has closed the connection");
      }
    }

    private boolean lineStartsWith(byte[] lowerCase) {
      if (lineLength < lowerCase.length) {
        return false;
      }
      for (int i = 0; i < lowerCase.length; i++) {
        byte c = line[i] >= 'A' && line[i] <= 'Z' ? (byte) (line[i] + 'a' - 'A') : line[i];
        if (c != lowerCase[i]) {
          return false;
        }
      }
      return true;
    }

    private String line() {
      return new String(line, 0, lineLength, ISO_8859_1);
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
}
