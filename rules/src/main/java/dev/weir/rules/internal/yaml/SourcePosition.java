package dev.weir.rules.internal.yaml;

/** Where something is written; line and column count from 1. */
public record SourcePosition(String file, int line, int column) {
  public static SourcePosition start(String file) {
    return new SourcePosition(file, 1, 1);
  }
}
