package dev.weir.rules.internal.yaml;

import dev.weir.internal.text.MessageText;
import java.util.List;

/** One value of a YAML document, and where it is written. */
public sealed interface YamlNode {
  SourcePosition at();

  /** What it is, in the words of a message. */
  String kind();

  /**
   * Text as it is written; YAML's own guesses (numbers, yes and no) are left to the reader.
   *
   * @param quoted whether the text stands in quotes or is a block, and so may be empty on purpose
   */
  record Scalar(SourcePosition at, String text, boolean quoted) implements YamlNode {
    @Override
    public String kind() {
      return isNothing() ? "nothing" : '"' + MessageText.shown(text) + '"';
    }

    public boolean isNothing() {
      return text.isEmpty() && !quoted;
    }
  }

  record Items(SourcePosition at, List<YamlNode> values) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  record Mapping(SourcePosition at, List<Entry> entries) implements YamlNode {
    @Override
    public String kind() {
      return "a mapping";
    }
  }

  record Entry(Scalar key, YamlNode value) {}
}
