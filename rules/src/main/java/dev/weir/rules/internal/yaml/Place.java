package dev.weir.rules.internal.yaml;

/** Where something is written; line and column count from 1. */
public record Place(String file, int line, int column) {
  public static Place start(String file) {
    return new Place(file, 1, 1);
  }
}
