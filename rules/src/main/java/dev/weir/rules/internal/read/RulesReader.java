package dev.weir.rules.internal.read;

import dev.weir.internal.text.MaskedAddress;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.envoy.Domain;
import dev.weir.rules.internal.envoy.DomainReader;
import dev.weir.rules.internal.match.Rule;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import dev.weir.rules.internal.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads rule files, one after another, into one set of rules. Not safe for many threads. */
public final class RulesReader {
  private static final List<String> KEYS = List.of("store", "rules", "domains");
  private static final Pattern STORE =
      Pattern.compile("memory|(?:rediss?(?:-sentinel|-cluster)?)://.+");

  private final RuleFiles contents;
  private final FaultCollector faults = new FaultCollector();
  private final UniqueNames names = new UniqueNames("rule", faults);
  private final List<Rule> rules = new ArrayList<>();
  private final DomainReader domains = new DomainReader(faults);
  private @Nullable Scalar store;

  public RulesReader(RuleFiles contents) {
    this.contents = contents;
  }

  public FaultCollector faults() {
    return faults;
  }

  /** In the order they were read; incomplete if there are faults. */
  public List<Rule> rules() {
    return rules;
  }

  /** In the order they were read; incomplete if there are faults. */
  public List<Domain> domains() {
    return domains.domains();
  }

  /** Refuses domains with the name of a rule: the keys of their state would be the same. */
  public void end() {
    for (Rule rule : rules) {
      SourcePosition at = domains.places().get(rule.name());
      if (at != null) {
        faults.add(
            at,
            "domain must not have the name of a rule, was \""
                + MessageText.shown(rule.name())
                + '"');
      }
    }
  }

  public @Nullable String store() {
    return store == null ? null : store.text();
  }

  /** Reads a file, or every rule file of a directory. */
  public void read(Path fileOrDirectory) {
    SourcePosition at = SourcePosition.start(fileOrDirectory.toString());
    try {
      List<Path> files = contents.files(fileOrDirectory);
      if (files.isEmpty()) {
        faults.add(at, "a directory must hold a .yaml or .yml file, was without");
      }
      readAll(files);
    } catch (IOException failed) {
      faults.add(at, "cannot read " + fileOrDirectory + ": " + RuleFileBytes.reason(failed));
    }
  }

  /** All are parsed before any is read, because one file may name another as its overrides. */
  private void readAll(List<Path> files) {
    Map<Path, YamlNode> nodes = new LinkedHashMap<>();
    for (Path file : files) {
      YamlNode node = parse(file);
      if (node != null) {
        nodes.put(file, node);
      }
    }
    Set<Path> overrides = new HashSet<>();
    nodes.forEach((file, node) -> OverridesReader.addFiles(folder(file), node, overrides));
    nodes.forEach(
        (file, node) -> {
          if (files.size() == 1 || !overrides.contains(file)) {
            readDocument(node, folder(file));
          }
        });
  }

  private @Nullable YamlNode parse(Path file) {
    byte[] bytes =
        RuleFileBytes.read(contents, file, SourcePosition.start(file.toString()), faults);
    return bytes == null ? null : YamlReader.read(file.toString(), bytes, faults);
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? Path.of("") : folder;
  }

  /** Reads rules that are not in a file; they cannot name one. */
  public void read(String name, byte[] bytes) {
    YamlNode node = YamlReader.read(name, bytes, faults);
    if (node != null) {
      readDocument(node, null);
    }
  }

  private void readDocument(YamlNode node, @Nullable Path folder) {
    if (node instanceof Mapping mapping && !mapping.entries().isEmpty()) {
      readTop(mapping, new OverridesReader(contents, folder, faults));
    } else {
      faults.add(node.at(), "a rules file must be a mapping with rules, was " + found(node));
    }
  }

  /** The fault does not quote the text: a file without rules may be any file, given by mistake. */
  private static String found(YamlNode node) {
    if (node instanceof Scalar scalar) {
      return scalar.isNothing() ? "empty" : "text";
    }
    return node instanceof Mapping ? "an empty one" : node.kind();
  }

  private void readTop(Mapping mapping, OverridesReader overrides) {
    if (DomainReader.reads(mapping)) {
      domains.read(mapping);
      return;
    }
    MappingReader section = new MappingReader("a rules file", mapping, KEYS, faults);
    readStore(section);
    readDomains(section);
    if (section.get("domains") == null || section.get("rules") != null) {
      readRules(section, new RuleReader(names, overrides, faults));
    }
  }

  /** Several domains in one text: how a rule set that was read from several files is written. */
  private void readDomains(MappingReader section) {
    YamlNode node = section.get("domains");
    if (node instanceof Items items && !items.values().isEmpty()) {
      items.values().forEach(domains::read);
    } else if (node != null) {
      String found = node instanceof Items ? "an empty one" : node.kind();
      faults.add(node.at(), "domains must be a list of at least one, was " + found);
    }
  }

  private void readStore(MappingReader section) {
    Scalar text = section.text("store");
    if (text == null) {
      return;
    }
    if (!STORE.matcher(text.text()).matches()) {
      faults.add(
          text.at(),
          "store must be memory, redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
              + " redis-cluster:// or rediss-cluster://"
              + MaskedAddress.schemeOnly(text.text()).map(shown -> ", was " + shown).orElse(""));
    } else if (store != null && !store.text().equals(text.text())) {
      faults.add(
          text.at(),
          "store must be the same in all files, was another in "
              + store.at().file()
              + ":"
              + store.at().line());
    } else {
      store = text;
    }
  }

  private void readRules(MappingReader section, RuleReader reader) {
    YamlNode node = section.required("rules", "a list of at least one");
    if (node instanceof Items items && !items.values().isEmpty()) {
      for (YamlNode item : items.values()) {
        Rule rule = reader.read(item);
        if (rule != null) {
          rules.add(rule);
        }
      }
    } else if (node != null) {
      String found = node instanceof Items ? "an empty one" : node.kind();
      faults.add(node.at(), "rules must be a list of at least one, was " + found);
    }
  }
}
