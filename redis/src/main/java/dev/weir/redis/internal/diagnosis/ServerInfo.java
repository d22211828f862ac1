package dev.weir.redis.internal.diagnosis;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The fields of INFO by name. Managed services leave some out, so any may be missing. */
record ServerInfo(Map<String, String> fields) {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  static ServerInfo parse(String text) {
    return new ServerInfo(
        text.lines()
            .filter(line -> line.indexOf(':') > 0)
            .map(line -> line.strip().split(":", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, again) -> first)));
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(fields.get(name)).filter(value -> !value.isBlank());
  }

  boolean is(String name, String value) {
    return value.equals(fields.get(name));
  }

  OptionalLong number(String name) {
    return text(name)
        .filter(value -> NUMBER.matcher(value).matches())
        .map(value -> OptionalLong.of(Long.parseLong(value)))
        .orElse(OptionalLong.empty());
  }
}
