package dev.weir.rules.internal.envoy;

import dev.weir.Algorithm;
import dev.weir.FailurePolicy;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.read.AlgorithmReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads files in the format of Envoy's reference service. Not safe for many threads. */
public final class DomainReader {
  /** The key that tells this format from ours. */
  public static final String DOMAIN = "domain";

  private static final List<String> KEYS =
      List.of(
          DOMAIN,
          "name",
          "descriptors",
          "algorithm",
          "calendar",
          "count-over-limit",
          "on-store-failure");

  private final FaultCollector faults;
  private final List<Domain> domains = new ArrayList<>();
  private final Map<String, SourcePosition> places = new HashMap<>();

  public DomainReader(FaultCollector faults) {
    this.faults = faults;
  }

  /**
   * What a file says for all its limits.
   *
   * @param calendar see {@link Domain}
   */
  record Defaults(
      String domain,
      boolean countOverLimit,
      @Nullable ZoneId calendar,
      Algorithm algorithm,
      FailurePolicy onStoreFailure) {}

  /** Whether a document is in this format. */
  public static boolean reads(Mapping mapping) {
    return mapping.entries().stream().anyMatch(entry -> entry.key().text().equals(DOMAIN));
  }

  /** In the order they were read; only whole if there are no faults. */
  public List<Domain> domains() {
    return domains;
  }

  /** Where each domain is named. */
  public Map<String, SourcePosition> places() {
    return places;
  }

  /** Reads one entry of a list of domains. */
  public void read(YamlNode node) {
    if (node instanceof Mapping mapping) {
      read(mapping);
    } else {
      faults.add(
          node.at(), "a domain must be a mapping with domain and descriptors, was " + node.kind());
    }
  }

  public void read(Mapping mapping) {
    EnvoyMapping file = new EnvoyMapping("a file with a domain", mapping, KEYS, faults);
    Scalar name = file.text(DOMAIN);
    if (name == null || name.text().isBlank()) {
      faults.add(
          name == null ? mapping.at() : name.at(), "domain must not be empty: proxies send it");
    } else {
      refuseTwice(name);
    }
    Defaults defaults =
        new Defaults(
            name == null || name.text().isBlank() ? "?" : name.text(),
            file.flag("count-over-limit"),
            calendar(file),
            AlgorithmReader.read(file.section(), Algorithm.FIXED_WINDOW),
            file.section().choice("on-store-failure", FailurePolicy.values(), FailurePolicy.ERROR));
    DescriptorLevel level =
        new DescriptorReader(defaults, faults).level("", file.items("descriptors"));
    domains.add(new Domain(defaults.domain, defaults.countOverLimit, defaults.calendar, level));
  }

  private void refuseTwice(Scalar name) {
    SourcePosition first = places.putIfAbsent(name.text(), name.at());
    if (first != null) {
      faults.add(
          name.at(),
          "domain "
              + name.kind()
              + " must be there once, was also in "
              + first.file()
              + ":"
              + first.line());
    }
  }

  private @Nullable ZoneId calendar(EnvoyMapping file) {
    Scalar text = file.text("calendar");
    String word = text == null ? "false" : text.text().toLowerCase(Locale.ROOT);
    if (text == null || word.equals("false")) {
      return null;
    }
    if (word.equals("true")) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(text.text());
    } catch (DateTimeException unknown) {
      faults.add(
          text.at(),
          "calendar must be true, false or a time zone such as Europe/Berlin, was "
              + text.kind()
              + MessageText.didYouMean(text.text(), ZoneId.getAvailableZoneIds()));
      return null;
    }
  }
}
