package dev.weir.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Attributes of a request whose path can be read in several ways. */
record AttributesWithPaths(Map<String, String> values, List<String> otherPaths)
    implements Attributes {
  private static final String PATH = "path";

  @Override
  public @Nullable String get(String name) {
    return values.get(name);
  }

  /** The same request once for each of its paths, each without others. */
  static List<Attributes> readings(Attributes request) {
    List<Attributes> readings = new ArrayList<>();
    readings.add(request::get);
    for (String path : request.otherPaths()) {
      readings.add(name -> name.equals(PATH) ? path : request.get(name));
    }
    return readings;
  }
}
