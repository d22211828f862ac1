package dev.weir.cli.diff;

import dev.weir.cli.console.HumanFormat;
import dev.weir.cli.simulate.replay.ReplayStatistics;
import dev.weir.cli.simulate.replay.TopKeys;
import dev.weir.cli.simulate.replay.TopKeys.Count;
import dev.weir.internal.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The differences as text for a terminal, or as Markdown for a review. */
final class DiffReport {
  private static final int TOP = 10;
  private static final int LONGEST_KEY = 60;

  private final boolean markdown;
  private final List<String> lines = new ArrayList<>();

  DiffReport(boolean markdown) {
    this.markdown = markdown;
  }

  List<String> lines() {
    return lines;
  }

  void addChanges(List<RuleChange> changes) {
    if (markdown) {
      lines.add("### Rules");
      lines.add("");
    }
    if (changes.isEmpty()) {
      lines.add("The rules mean the same.");
    }
    String last = "";
    for (RuleChange change : changes) {
      if (markdown) {
        lines.add("- **" + escaped(change.where()) + "** " + escaped(change.text()));
      } else {
        if (!change.where().equals(last)) {
          lines.add(PrintableText.of(change.where()));
        }
        lines.add("  " + PrintableText.of(change.text()));
        last = change.where();
      }
    }
  }

  void addReplay(ReplayStatistics statistics) {
    long requests = statistics.requests();
    heading("With " + HumanFormat.count(requests) + " requests of the log");
    if (markdown) {
      lines.add("| | requests | of all |");
      lines.add("|---|---:|---:|");
    }
    row("denied before", statistics.denials(), requests);
    row("denied after", statistics.denialsAfter(), requests);
    row("newly denied", statistics.nowDenied(), requests);
    row("newly allowed", statistics.nowAllowed(), requests);
    keys("Newly denied most", statistics.newlyDenied());
    keys("Newly allowed most", statistics.newlyAllowed());
    statistics.inexact().forEach(note -> lines.add("Not exact: " + note));
  }

  void addCondition(FailCondition condition, boolean met) {
    lines.add("");
    String text = "Fail if " + condition.text() + (met ? ": yes, so this fails" : ": no");
    lines.add(markdown ? (met ? "**" + escaped(text) + "**" : escaped(text)) : text);
  }

  private void heading(String text) {
    lines.add("");
    lines.add(markdown ? "### " + text : text);
    if (markdown) {
      lines.add("");
    }
  }

  private void row(String name, long count, long requests) {
    String share = percent(count, requests);
    lines.add(
        markdown
            ? "| " + name + " | " + HumanFormat.count(count) + " | " + share + " |"
            : String.format(
                Locale.ROOT, "  %-14s %12s  %s", name, HumanFormat.count(count), share));
  }

  /** Finer than elsewhere: a tenth of a percent is what a review asks about. */
  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.2f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }

  private void keys(String title, TopKeys keys) {
    List<Count> top = keys.top(TOP);
    if (top.isEmpty()) {
      return;
    }
    heading(title);
    if (markdown) {
      lines.add("| requests | limit | key |");
      lines.add("|---:|---|---|");
    }
    for (Count count : top) {
      String number = HumanFormat.count(count.count());
      String limit = count.who().limit();
      String key = PrintableText.shortened(count.who().key(), LONGEST_KEY);
      lines.add(
          markdown
              ? "| " + number + " | " + escaped(limit) + " | " + escaped(key) + " |"
              : String.format(Locale.ROOT, "  %12s  %s  %s", number, limit, key));
    }
  }

  /** Keys come from clients: they must neither format the comment nor mention anybody in it. */
  private static String escaped(String text) {
    return PrintableText.of(text)
        .replaceAll("([\\\\`*_{}\\[\\]#+!|<>~&])", "\\\\$1")
        .replace("@", "@\u200b");
  }
}
