package dev.weir.server.service;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The overrides as instances share them. Immutable.
 *
 * <p>A text that is written where there was none gets an origin of its own, and every later text
 * keeps the origins of the one it was made from. So an instance can tell a changed text from one
 * that another instance has begun after Redis lost its data.
 *
 * @param origins the oldest first
 */
record SharedOverrides(AdminOverrides.OverridesSnapshot state, List<String> origins) {
  private static final String ORIGINS = "origins";
  private static final int MAX_ORIGINS = 20;

  static SharedOverrides read(String text) {
    JsonArray origins = new JsonObject(text).getJsonArray(ORIGINS, new JsonArray());
    return new SharedOverrides(
        AdminOverridesJson.read(text), origins.stream().map(String::valueOf).toList());
  }

  String write() {
    return AdminOverridesJson.write(state).put(ORIGINS, new JsonArray(origins)).encode();
  }

  /** Whether this was made from a text with these origins, through whatever changes. */
  boolean descendsFrom(List<String> others) {
    return others.isEmpty() || origins.contains(others.get(others.size() - 1));
  }

  SharedOverrides with(Collection<AdminChange> changes) {
    return new SharedOverrides(
        state.with(changes), origins.isEmpty() ? List.of(UUID.randomUUID().toString()) : origins);
  }

  /** All blocks of both, and the kill switch if it is on in one; descends from both. */
  SharedOverrides mergedWith(SharedOverrides lost) {
    Set<String> both =
        new LinkedHashSet<>(Stream.concat(lost.origins.stream(), origins.stream()).toList());
    return new SharedOverrides(
        state.mergedWith(lost.state),
        both.stream().skip(Math.max(0, both.size() - MAX_ORIGINS)).toList());
  }
}
