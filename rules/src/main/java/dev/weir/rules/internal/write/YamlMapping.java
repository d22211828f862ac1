package dev.weir.rules.internal.write;

import dev.weir.internal.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping of a YAML document, one entry per line. Not safe for many threads. */
final class YamlMapping {
  /**
   * YAML allows 1024 characters for a key before its colon. Escaping may turn one character into
   * ten, so longer keys are written on their own line.
   */
  private static final int LONGEST_KEY = 100;

  private final List<NodeTuple> entries = new ArrayList<>();

  YamlMapping put(String key, String text) {
    return put(key, scalar(text));
  }

  YamlMapping put(String key, long number) {
    return put(key, new ScalarNode(Tag.INT, Long.toString(number), ScalarStyle.PLAIN));
  }

  YamlMapping put(String key, boolean flag) {
    return put(key, new ScalarNode(Tag.BOOL, Boolean.toString(flag), ScalarStyle.PLAIN));
  }

  /** A text, a number, a boolean, or lists and maps of these. */
  YamlMapping putValue(String key, Object value) {
    return put(key, node(value));
  }

  private static Node node(Object value) {
    if (value instanceof Map<?, ?> map) {
      YamlMapping mapping = new YamlMapping();
      map.forEach((key, each) -> mapping.putValue((String) key, each));
      return mapping.node();
    }
    if (value instanceof List<?> list) {
      List<Node> items = new ArrayList<>();
      list.forEach(each -> items.add(node(each)));
      return new SequenceNode(Tag.SEQ, items, FlowStyle.BLOCK);
    }
    if (value instanceof Double number) {
      String text = plain(number);
      return new ScalarNode(text.contains(".") ? Tag.FLOAT : Tag.INT, text, ScalarStyle.PLAIN);
    }
    return value instanceof Boolean flag
        ? new ScalarNode(Tag.BOOL, flag.toString(), ScalarStyle.PLAIN)
        : scalar((String) value);
  }

  /** Whole numbers without a fraction. */
  private static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  /** One text as it is, any other number of them as a list. */
  YamlMapping put(String key, List<String> texts) {
    List<Node> scalars = new ArrayList<>();
    texts.forEach(text -> scalars.add(scalar(text)));
    return put(
        key,
        scalars.size() == 1 ? scalars.get(0) : new SequenceNode(Tag.SEQ, scalars, FlowStyle.FLOW));
  }

  YamlMapping put(String key, YamlMapping mapping) {
    return put(key, mapping.node());
  }

  YamlMapping putAll(String key, List<YamlMapping> mappings) {
    List<Node> items = new ArrayList<>();
    mappings.forEach(mapping -> items.add(mapping.node()));
    return put(key, new SequenceNode(Tag.SEQ, items, FlowStyle.BLOCK));
  }

  private YamlMapping put(String key, Node value) {
    entries.add(new NodeTuple(scalar(key), value));
    return this;
  }

  private Node node() {
    return new MappingNode(Tag.MAP, entries, FlowStyle.BLOCK);
  }

  private static Node scalar(String text) {
    return new ScalarNode(
        Tag.STR, text, PlainText.is(text) ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED);
  }

  /**
   * This mapping as a whole document. If it holds a character that cannot be seen, everything
   * outside ASCII is escaped.
   */
  String toYaml() {
    String text = emit(true);
    boolean printable = text.codePoints().allMatch(c -> c == '\n' || PrintableText.isPrintable(c));
    return printable ? text : emit(false);
  }

  private String emit(boolean unicode) {
    DumpSettings settings =
        DumpSettings.builder()
            .setIndent(2)
            .setIndicatorIndent(2)
            .setIndentWithIndicator(true)
            .setMaxSimpleKeyLength(LONGEST_KEY)
            .setSplitLines(false)
            .setBestLineBreak("\n")
            .setUseUnicodeEncoding(unicode)
            .build();
    TextWriter writer = new TextWriter();
    new Dump(settings).dumpNode(node(), writer);
    return writer.text.toString();
  }

  private static final class TextWriter implements StreamDataWriter {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void write(String part) {
      text.append(part);
    }

    @Override
    public void write(String part, int from, int length) {
      text.append(part, from, from + length);
    }
  }
}
