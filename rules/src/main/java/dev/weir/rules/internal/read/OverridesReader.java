package dev.weir.rules.internal.read;

import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.match.Allowance;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import dev.weir.rules.internal.yaml.YamlReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads limits for single keys, beside the limit they belong to or in a file of their own. */
final class OverridesReader {
  private static final String INLINE = "overrides";
  private static final String FILE = "overrides-file";

  private static final String EXPECTED =
      "a file with overrides must be a mapping from keys to limits, each given once, such as"
          + " 10 per minute; this place is not";

  /** The file, its rules, a rule, its limits, a limit. */
  private static final int DEPTH_OF_LIMITS = 5;

  private final RuleFiles contents;
  private final @Nullable Path folder;
  private final FaultCollector faults;

  /** {@code folder} is what file names are relative to; null if rules came without a file. */
  OverridesReader(RuleFiles contents, @Nullable Path folder, FaultCollector faults) {
    this.contents = contents;
    this.folder = folder;
    this.faults = faults;
  }

  Map<String, Allowance> read(String owner, MappingReader section, AllowanceReader allowances) {
    Map<String, Allowance> all = new HashMap<>(inline(owner, section, allowances));
    Scalar name = section.text(FILE);
    if (name != null) {
      fromFile(name, allowances)
          .forEach(
              (key, allowance) -> {
                if (all.putIfAbsent(key, allowance) != null) {
                  faults.add(
                      name.at(),
                      "overrides must name a key once, was \""
                          + MessageText.shown(key)
                          + "\" in both");
                }
              });
    }
    return all;
  }

  /** Adds the files with overrides that a document names. */
  static void addFiles(Path folder, YamlNode node, Set<Path> files) {
    addFiles(folder, node, DEPTH_OF_LIMITS, files);
  }

  private static void addFiles(Path folder, YamlNode node, int depth, Set<Path> files) {
    if (depth == 0) {
      return; // aliases can nest far deeper than limits ever are
    }
    if (node instanceof Items items) {
      items.values().forEach(item -> addFiles(folder, item, depth - 1, files));
    } else if (node instanceof Mapping mapping) {
      for (Entry entry : mapping.entries()) {
        if (entry.key().text().equals(FILE) && entry.value() instanceof Scalar name) {
          resolved(folder, name).ifPresent(files::add);
        } else {
          addFiles(folder, entry.value(), depth - 1, files);
        }
      }
    }
  }

  private static Optional<Path> resolved(Path folder, Scalar name) {
    try {
      return Optional.of(folder.resolve(name.text()));
    } catch (InvalidPathException impossible) {
      return Optional.empty();
    }
  }

  private Map<String, Allowance> inline(
      String owner, MappingReader section, AllowanceReader allowances) {
    YamlNode node = section.get(INLINE);
    if (node == null) {
      return Map.of();
    }
    if (node instanceof Mapping mapping) {
      return allowances.readAll("overrides of " + owner, mapping);
    }
    faults.add(node.at(), "overrides must be a mapping from keys to limits, was " + node.kind());
    return Map.of();
  }

  private Map<String, Allowance> fromFile(Scalar name, AllowanceReader allowances) {
    if (folder == null) {
      faults.add(name.at(), "overrides-file is for rules in a file, was given without one");
      return Map.of();
    }
    Optional<Path> file = resolved(folder, name);
    if (file.isEmpty()) {
      faults.add(name.at(), "overrides-file must be the name of a file, was " + name.kind());
      return Map.of();
    }
    return fromFile(file.get(), name, allowances);
  }

  private Map<String, Allowance> fromFile(Path file, Scalar name, AllowanceReader allowances) {
    byte[] bytes = RuleFileBytes.read(contents, file, name.at(), faults);
    faults.hideContents(file.toString(), EXPECTED);
    YamlNode node = bytes == null ? null : YamlReader.read(file.toString(), bytes, faults);
    if (node instanceof Mapping mapping) {
      return allowances.readAll("the overrides", mapping);
    }
    if (node != null) {
      faults.add(node.at(), "overrides must be a mapping from keys to limits, was " + node.kind());
    }
    return Map.of();
  }
}
