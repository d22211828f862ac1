package dev.weir.cli.demo;

import dev.weir.Decision;
import dev.weir.cli.console.AnsiStyle;
import java.util.Locale;

/** The same sign and colour for the same fact in every scene. */
record Marks(AnsiStyle ink) {
  String admitted() {
    return ink.good("█");
  }

  String denied() {
    return ink.bad("░");
  }

  String legend() {
    return admitted() + " admitted   " + denied() + " denied";
  }

  String verdict(Decision decision) {
    return decision.allowed() ? ink.good("allowed") : ink.bad("denied");
  }

  /** A count, in the colour that says whether the limit held. */
  String count(int width, int count, long limit) {
    String text = String.format(Locale.ROOT, "%" + width + "d", count);
    return count > limit ? ink.bad(text) : ink.good(text);
  }
}
