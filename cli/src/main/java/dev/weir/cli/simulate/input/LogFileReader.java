package dev.weir.cli.simulate.input;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log: of a file or of standard input, compressed with gzip or not. Not safe for
 * many threads.
 */
final class LogFileReader implements AutoCloseable {
  /** Longer lines are cut, to bound memory; no request is that long. */
  private static final int LONGEST_LINE = 1 << 20;

  private static final int CHUNK = 1 << 16;

  private final Counted raw;
  private final InputStream in;
  private final long size;
  private final byte[] buffer = new byte[CHUNK];
  private int next;
  private int filled;
  private byte[] line = new byte[1024];
  private int length;

  private LogFileReader(InputStream stream, long size) throws IOException {
    this.raw = new Counted(new BufferedInputStream(stream, CHUNK));
    this.size = size;
    this.in = raw.startsAsGzip() ? new GZIPInputStream(raw, CHUNK) : raw;
  }

  static LogFileReader open(String name) throws IOException {
    if (name.equals(LogFiles.STANDARD_INPUT)) {
      return new LogFileReader(System.in, -1);
    }
    Path file = Path.of(name);
    return new LogFileReader(Files.newInputStream(file), Files.size(file));
  }

  /** How many bytes there are; -1 if that is unknown. */
  long size() {
    return size;
  }

  /** How many of the bytes have been read. */
  long position() {
    return raw.count;
  }

  /** The next line without its end; null after the last. */
  @Nullable String line() throws IOException {
    length = 0;
    boolean any = false;
    while (next < filled || fill()) {
      any = true;
      int end = next;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      keep(next, end);
      next = end + 1;
      if (end < filled) {
        return text();
      }
    }
    return any ? text() : null;
  }

  private boolean fill() throws IOException {
    next = 0;
    filled = Math.max(0, in.read(buffer));
    return filled > 0;
  }

  private void keep(int from, int to) {
    int kept = Math.min(to - from, LONGEST_LINE - length);
    if (length + kept > line.length) {
      line = Arrays.copyOf(line, Math.max(2 * line.length, length + kept));
    }
    System.arraycopy(buffer, from, line, length, kept);
    length += kept;
  }

  private String text() {
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, end, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Counts what is read of a stream. */
  private static final class Counted extends InputStream {
    private final InputStream in;
    private long count;

    private Counted(InputStream in) {
      this.in = in;
    }

    private boolean startsAsGzip() throws IOException {
      in.mark(2);
      boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
      in.reset();
      return gzip;
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      count += value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      int read = in.read(bytes, from, most);
      count += Math.max(0, read);
      return read;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
