package dev.weir.cli.simulate.input;

import java.util.Locale;

/** How the lines of a log are written. */
public enum LogInputFormat {
  /** One JSON object per line. */
  JSONL,
  /** The Common or the Combined format of web servers. */
  COMBINED,
  /** JSON if a line starts with a brace, else an access log: line by line. */
  AUTO;

  /** As on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
