package dev.weir.cli.simulate.input;

import dev.weir.internal.text.PrintableText;
import java.util.ArrayList;
import java.util.List;

/** Counts the lines that are malformed or have no client address, and keeps the first of them. */
public final class MalformedLines {
  private static final int SHOWN = 5;
  private static final int LONGEST_REASON = 200;

  private final List<String> first = new ArrayList<>();
  private long count;
  private String firstUnknown = "";
  private long unknown;

  /**
   * @param place where the line is: {@code line 7}
   */
  public void add(String place, String reason) {
    if (count++ < SHOWN) {
      first.add(line(place, reason));
    }
  }

  /** A request of a server's log that names no address. */
  public void addUnknownClient(String place, String client) {
    if (unknown++ == 0) {
      firstUnknown = line(place, client);
    }
  }

  /** The lines of the report; none if there is nothing to report. */
  public List<String> report() {
    List<String> lines = new ArrayList<>();
    if (count > 0) {
      lines.add(count == 1 ? "1 malformed line skipped:" : count + " malformed lines skipped:");
      first.forEach(line -> lines.add("  " + line));
    }
    if (count > SHOWN) {
      lines.add("  and " + (count - SHOWN) + " more");
    }
    if (unknown > 0) {
      lines.add(
          unknown
              + (unknown == 1 ? " line has" : " lines have")
              + " no address of a client and "
              + (unknown == 1 ? "was" : "were")
              + " skipped (--map ip=client takes the text for one):");
      lines.add("  " + firstUnknown);
    }
    return lines;
  }

  /** Reasons quote the log, which may hold anything. */
  private static String line(String place, String text) {
    return place + ": " + PrintableText.shortened(text, LONGEST_REASON);
  }
}
