package dev.weir.rules.internal.read;

import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;

/** Reads {@code split} of a limit: into how many parts each key is divided. */
final class SplitReader {
  private static final int NOT_SPLIT = 1;
  private static final int MAX_PARTS = 64;

  private SplitReader() {}

  /** Not split also if it is faulty. */
  static int read(MappingReader section, FaultCollector faults) {
    Scalar text = section.text("split");
    if (text == null) {
      return NOT_SPLIT;
    }
    int parts = text.text().matches("\\d{1,2}") ? Integer.parseInt(text.text()) : 0;
    if (parts < 2 || parts > MAX_PARTS) {
      faults.add(
          text.at(),
          "split must be a number of parts from 2 to " + MAX_PARTS + ", was " + text.kind());
      return NOT_SPLIT;
    }
    if (section.get("lease") != null) {
      faults.add(text.at(), "split is not for a limit with lease, which asks the store rarely");
      return NOT_SPLIT;
    }
    if (section.get("penalty") != null) {
      faults.add(
          text.at(),
          "split is not for a limit with penalty, since its parts deny before all are used up");
      return NOT_SPLIT;
    }
    return parts;
  }
}
