package dev.weir.cli.demo;

import dev.weir.Decision;
import dev.weir.cli.console.AnsiStyle;
import java.util.Locale;

/** The same sign and colour for the same fact in every scene. */
record DemoSymbols(AnsiStyle style) {
  String admitted() {
    return style.good("█");
  }

  String denied() {
    return style.bad("░");
  }

  String legend() {
    return admitted() + " admitted   " + denied() + " denied";
  }

  String verdict(Decision decision) {
    return decision.allowed() ? style.good("allowed") : style.bad("denied");
  }

  /** A count, in the colour that says whether the limit held. */
  String count(int width, int count, long limit) {
    String text = String.format(Locale.ROOT, "%" + width + "d", count);
    return count > limit ? style.bad(text) : style.good(text);
  }
}
