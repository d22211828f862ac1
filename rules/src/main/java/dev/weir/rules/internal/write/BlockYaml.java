package dev.weir.rules.internal.write;

import java.util.List;
import java.util.stream.Collectors;

/** A document of YAML, one entry per line. Not safe for many threads. */
final class BlockYaml {
  /** YAML lets a key before its colon have 1024 characters; a longer one has its own line. */
  private static final int LONGEST_KEY = 1000;

  private static final String STEP = "  ";

  private final StringBuilder out = new StringBuilder();
  private int depth;
  private boolean atItem;

  void entry(String key, String text) {
    put(YamlText.of(key), YamlText.of(text));
  }

  void entry(String key, long number) {
    put(YamlText.of(key), Long.toString(number));
  }

  /** One text as it is, any other number of them as a list. */
  void entry(String key, List<String> texts) {
    if (texts.size() == 1) {
      entry(key, texts.get(0));
    } else {
      String list = texts.stream().map(YamlText::of).collect(Collectors.joining(", ", "[", "]"));
      put(YamlText.of(key), list);
    }
  }

  private void put(String key, String value) {
    if (key.length() > LONGEST_KEY) {
      line("? " + key);
      line(": " + value);
    } else {
      line(key + ": " + value);
    }
  }

  /** A key whose value is what {@code content} writes. */
  void section(String key, Runnable content) {
    line(key + ":");
    deeper(content);
  }

  /** One mapping of a list. */
  void item(Runnable content) {
    atItem = true;
    deeper(content);
  }

  private void deeper(Runnable content) {
    depth++;
    content.run();
    depth--;
  }

  private void line(String text) {
    out.append(STEP.repeat(atItem ? depth - 1 : depth));
    out.append(atItem ? "- " : "").append(text).append('\n');
    atItem = false;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
