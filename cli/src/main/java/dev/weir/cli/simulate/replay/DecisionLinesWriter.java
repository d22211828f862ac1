package dev.weir.cli.simulate.replay;

import dev.weir.Decision;
import dev.weir.http.DecisionJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes one line of JSON per decision. Not safe for many threads. */
public final class DecisionLinesWriter implements AutoCloseable {
  public static final String STANDARD_OUTPUT = "-";
  private static final int ENOUGH = 1 << 16;

  private final Writer out;
  private final StringBuilder lines = new StringBuilder(ENOUGH + 4096);

  private DecisionLinesWriter(Writer out) {
    this.out = out;
  }

  /** To a file, or to standard output if that is its name. */
  public static DecisionLinesWriter open(String name, PrintWriter standardOutput)
      throws IOException {
    return new DecisionLinesWriter(
        name.equals(STANDARD_OUTPUT)
            ? new Unclosed(standardOutput)
            : Files.newBufferedWriter(Path.of(name)));
  }

  void add(long atMicros, Decision decision) throws IOException {
    DecisionJson.writeAt(atMicros, decision, lines);
    lines.append('\n');
    if (lines.length() > ENOUGH) {
      write();
    }
  }

  private void write() throws IOException {
    out.append(lines);
    lines.setLength(0);
  }

  @Override
  public void close() throws IOException {
    write();
    out.close();
  }

  /** Standard output, which stays open and reports failures only through {@code checkError}. */
  private static final class Unclosed extends Writer {
    private final PrintWriter out;

    private Unclosed(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      out.write(text, from, length);
      flush();
    }

    @Override
    public void flush() throws IOException {
      if (out.checkError()) {
        throw new IOException("standard output was closed before all decisions were written");
      }
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
