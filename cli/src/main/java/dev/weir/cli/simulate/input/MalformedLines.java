package dev.weir.cli.simulate.input;

import dev.weir.cli.console.Printable;
import java.util.ArrayList;
import java.util.List;

/** How many lines were no requests, and the first of them. */
public final class MalformedLines {
  private static final int SHOWN = 5;
  private static final int LONGEST_REASON = 200;

  private final List<String> first = new ArrayList<>();
  private long count;

  public void add(long lineNumber, String reason) {
    if (count++ < SHOWN) {
      first.add("line " + lineNumber + ": " + shown(reason));
    }
  }

  public long count() {
    return count;
  }

  /** What to tell about them; nothing if there are none. */
  public List<String> report() {
    if (count == 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(count == 1 ? "1 malformed line skipped:" : count + " malformed lines skipped:");
    first.forEach(line -> lines.add("  " + line));
    if (count > SHOWN) {
      lines.add("  and " + (count - SHOWN) + " more");
    }
    return lines;
  }

  /** Reasons quote the log, which may hold anything. */
  private static String shown(String reason) {
    String plain = Printable.text(reason);
    return plain.length() <= LONGEST_REASON ? plain : plain.substring(0, LONGEST_REASON) + "…";
  }
}
