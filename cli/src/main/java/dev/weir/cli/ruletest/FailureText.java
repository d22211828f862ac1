package dev.weir.cli.ruletest;

import dev.weir.cli.ruletest.ExpectedAnswer.Difference;
import dev.weir.cli.ruletest.TestResult.FailedStep;
import dev.weir.internal.text.HumanDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** A failed request: expected and got side by side, then why. */
final class FailureText {
  private FailureText() {}

  static List<String> lines(FailedStep failed) {
    List<String> lines = new ArrayList<>();
    lines.add(place(failed) + ": " + request(failed));
    int aspect = width(failed, each -> each.aspect().length());
    int expected = Math.max(8, width(failed, each -> each.expected().length()));
    String format = "  %-" + aspect + "s  %-" + expected + "s  %s";
    lines.add(line(format, "", "expected", "got"));
    for (Difference each : failed.differences()) {
      lines.add(line(format, each.aspect(), each.expected(), each.got()));
    }
    lines.add("  because");
    failed.explanation().forEach(line -> lines.add("    " + line));
    return lines;
  }

  /** All differences on one line, for reports with little space. */
  static String summary(FailedStep failed) {
    List<String> parts = new ArrayList<>();
    for (Difference each : failed.differences()) {
      parts.add(each.aspect() + ": expected " + each.expected() + ", got " + each.got());
    }
    return place(failed) + ": " + String.join("; ", parts);
  }

  private static String place(FailedStep failed) {
    return failed.step().at().file()
        + ":"
        + failed.step().at().line()
        + ":"
        + failed.step().at().column();
  }

  private static String request(FailedStep failed) {
    TestStep step = failed.step();
    long micros = step.atMicros() + failed.index() * step.everyMicros();
    String which =
        step.times() == 1 ? "" : "request " + (failed.index() + 1) + " of " + step.times() + " ";
    return which + "at " + HumanDuration.of(Duration.ofNanos(micros * 1000)) + "  " + step.text();
  }

  private static int width(FailedStep failed, ToIntFunction<Difference> length) {
    return failed.differences().stream().mapToInt(length).max().orElse(0);
  }

  private static String line(String format, String... parts) {
    return String.format(Locale.ROOT, format, (Object[]) parts).stripTrailing();
  }
}
