package dev.weir.rules.internal.match;

/** What a value of an attribute is compared with. Immutable. */
public interface TextPattern {
  boolean matches(String value);

  /** Whether only one value fits, which is then {@link #text()}. */
  boolean isExact();

  /** As it was written. */
  String text();
}
