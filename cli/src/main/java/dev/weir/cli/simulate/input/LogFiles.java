package dev.weir.cli.simulate.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of several log files in the order of their times, whatever the order of the files:
 * parts of a rotated log, or the logs of several servers. Lines that are no requests are counted.
 * Not safe for many threads.
 */
public final class LogFiles implements AutoCloseable {
  public static final String STANDARD_INPUT = "-";

  private static final Comparator<OpenLog> BY_TIME =
      Comparator.<OpenLog>comparingLong(log -> log.latestMicros).thenComparingInt(log -> log.index);

  private final MalformedLines malformed = new MalformedLines();
  private final List<OpenLog> all = new ArrayList<>();
  private final PriorityQueue<OpenLog> waiting = new PriorityQueue<>(BY_TIME);
  private boolean started;
  private volatile long lines; // read by the thread that reports an interruption

  private LogFiles() {}

  /**
   * Opens files.
   *
   * @param parsers makes one parser per file: each remembers what its file says about itself
   */
  public static LogFiles open(List<String> names, Supplier<LogLineParser> parsers)
      throws IOException {
    LogFiles files = new LogFiles();
    try {
      for (String name : names) {
        String place = names.size() == 1 ? "line " : name + " line ";
        files.all.add(
            files.new OpenLog(files.all.size(), place, LogFileReader.open(name), parsers.get()));
      }
      return files;
    } catch (IOException | RuntimeException failed) {
      files.close();
      throw failed;
    }
  }

  /** A request, and where it is written. */
  public record PlacedRequest(LoggedRequest request, String place) {}

  /** The next in time; null after the last. */
  public @Nullable PlacedRequest next() throws IOException {
    if (!started) {
      started = true;
      for (OpenLog log : all) {
        advance(log);
      }
    }
    OpenLog earliest = waiting.poll();
    if (earliest == null) {
      return null;
    }
    PlacedRequest next = earliest.head;
    advance(earliest);
    return next;
  }

  private void advance(OpenLog log) throws IOException {
    if (log.advance()) {
      waiting.add(log);
    }
  }

  /** How many lines have been read. */
  public long lines() {
    return lines;
  }

  /** What part of the logs has been read, between 0 and 1000; empty if their size is unknown. */
  public OptionalLong perMille() {
    long size = 0;
    long read = 0;
    for (OpenLog log : all) {
      if (log.reader.size() < 0) {
        return OptionalLong.empty();
      }
      size += log.reader.size();
      read += log.reader.position();
    }
    return size == 0 ? OptionalLong.empty() : OptionalLong.of(read * 1000 / size);
  }

  public MalformedLines malformed() {
    return malformed;
  }

  @Override
  public void close() {
    try {
      for (OpenLog log : all) {
        log.reader.close();
      }
    } catch (IOException unclosed) {
      throw new UncheckedIOException(unclosed);
    }
  }

  /** One file, read up to its next request. */
  private final class OpenLog {
    private final int index;
    private final String placePrefix;
    private final LogFileReader reader;
    private final LogLineParser parser;
    private long lineNumber;
    private long latestMicros;
    private @Nullable PlacedRequest head;

    private OpenLog(int index, String placePrefix, LogFileReader reader, LogLineParser parser) {
      this.index = index;
      this.placePrefix = placePrefix;
      this.reader = reader;
      this.parser = parser;
    }

    /** Reads up to the next request; false if there is none. */
    private boolean advance() throws IOException {
      head = null;
      String text = reader.line();
      while (text != null && !take(text)) {
        text = reader.line();
      }
      return head != null;
    }

    private boolean take(String text) {
      lineNumber++;
      lines++;
      if (parser.skips(text)) {
        return false;
      }
      String place = placePrefix + lineNumber;
      try {
        LoggedRequest request = parser.read(text);
        if (request.unknownClient() != null) {
          malformed.addUnknownClient(place, request.unknownClient());
          return false;
        }
        latestMicros = Math.max(latestMicros, request.atMicros());
        head = new PlacedRequest(request, place);
        return true;
      } catch (MalformedLineException noRequest) {
        malformed.add(place, String.valueOf(noRequest.getMessage()));
        return false;
      }
    }
  }
}
