package dev.weir.rules.internal.read;

import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping whose keys are known; what is wrong with it is added to the faults.
 *
 * <p>A method that returns null has added a fault, or there was nothing to read.
 */
public final class MappingReader {
  /** What others call it. */
  private static final Map<String, String> WORDS_OF_OTHERS =
      Map.ofEntries(
          Map.entry("fail-open", "allow"),
          Map.entry("open", "allow"),
          Map.entry("pass", "allow"),
          Map.entry("fail-closed", "deny"),
          Map.entry("fail-close", "deny"),
          Map.entry("closed", "deny"),
          Map.entry("block", "deny"),
          Map.entry("dry-run", "shadow"),
          Map.entry("dryrun", "shadow"),
          Map.entry("report-only", "shadow"),
          Map.entry("monitor", "shadow"),
          Map.entry("log-only", "shadow"),
          Map.entry("leaky-bucket", "token-bucket"),
          Map.entry("gcra", "token-bucket"),
          Map.entry("sliding", "sliding-window"),
          Map.entry("fixed", "fixed-window"));

  private final String owner;
  private final SourcePosition at;
  private final Map<String, YamlNode> values;
  private final FaultCollector faults;

  /** {@code owner} names the section in messages: {@code rule "login"}. */
  public MappingReader(String owner, Mapping mapping, List<String> known, FaultCollector faults) {
    this.owner = owner;
    this.at = mapping.at();
    this.faults = faults;
    this.values = distinct(owner, mapping, faults);
    for (Entry entry : mapping.entries()) {
      if (!known.contains(entry.key().text())) {
        refuseUnknown(entry.key(), known);
      }
    }
  }

  /** The values by key, in their order; a key that is there twice is a fault. */
  public static Map<String, YamlNode> distinct(
      String owner, Mapping mapping, FaultCollector faults) {
    Map<String, YamlNode> values = new LinkedHashMap<>();
    Map<String, SourcePosition> places = new LinkedHashMap<>();
    for (Entry entry : mapping.entries()) {
      Scalar key = entry.key();
      SourcePosition first = places.putIfAbsent(key.text(), key.at());
      if (first == null) {
        values.put(key.text(), entry.value());
      } else {
        faults.add(
            key.at(),
            key.kind() + " must be given once in " + owner + ", was also in line " + first.line());
      }
    }
    return values;
  }

  private void refuseUnknown(Scalar key, List<String> known) {
    faults.add(
        key.at(),
        "key "
            + key.kind()
            + " is unknown in "
            + owner
            + ", expected one of "
            + String.join(", ", known)
            + MessageText.didYouMean(key.text(), known));
  }

  public SourcePosition at() {
    return at;
  }

  public @Nullable YamlNode get(String key) {
    return values.get(key);
  }

  public @Nullable YamlNode required(String key, String meaning) {
    YamlNode value = values.get(key);
    if (value == null) {
      faults.add(at, owner + " must have " + key + ": " + meaning);
    }
    return value;
  }

  public @Nullable Scalar text(String key) {
    YamlNode value = values.get(key);
    return value == null ? null : text(key, value, faults);
  }

  public @Nullable Scalar requiredText(String key, String meaning) {
    YamlNode value = required(key, meaning);
    return value == null ? null : text(key, value, faults);
  }

  /** One text, or a list of them; null if there is any fault. */
  public @Nullable List<Scalar> texts(String key) {
    YamlNode value = values.get(key);
    return value == null ? null : texts(key, value, faults);
  }

  public static @Nullable Scalar text(String name, YamlNode value, FaultCollector faults) {
    if (value instanceof Scalar scalar && !scalar.isNothing()) {
      return scalar;
    }
    faults.add(value.at(), name + " must be text, was " + value.kind());
    return null;
  }

  public static @Nullable List<Scalar> texts(String name, YamlNode value, FaultCollector faults) {
    if (value instanceof Items items) {
      List<Scalar> texts = new ArrayList<>();
      for (YamlNode item : items.values()) {
        Scalar text = text(name, item, faults);
        if (text != null) {
          texts.add(text);
        }
      }
      return texts.size() == items.values().size() ? texts : null;
    }
    if (value instanceof Scalar scalar && !scalar.isNothing()) {
      return List.of(scalar);
    }
    faults.add(value.at(), name + " must be text or a list of texts, was " + value.kind());
    return null;
  }

  /** The value of a constant whose name is written in small letters with dashes. */
  public <E extends Enum<E>> E choice(String key, E[] choices, E otherwise) {
    Scalar text = text(key);
    if (text == null) {
      return otherwise;
    }
    List<String> words = new ArrayList<>();
    for (E choice : choices) {
      words.add(KebabCase.of(choice));
      if (KebabCase.of(choice).equals(text.text())) {
        return choice;
      }
    }
    faults.add(
        text.at(),
        key
            + " must be one of "
            + String.join(", ", words)
            + ", was "
            + text.kind()
            + suggestion(text.text(), words));
    return otherwise;
  }

  private static String suggestion(String text, List<String> words) {
    String word = WORDS_OF_OTHERS.get(text.toLowerCase(Locale.ROOT).replace('_', '-'));
    return word != null && words.contains(word)
        ? "; did you mean \"" + word + "\"?"
        : MessageText.didYouMean(text, words);
  }
}
