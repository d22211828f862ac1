package dev.weir.rules;

/**
 * One mistake in a rules file, and where it is.
 *
 * @param file as the caller named it
 * @param line from 1
 * @param column from 1, counted in characters
 * @param text what was expected and what was found
 */
public record Fault(String file, int line, int column, String text) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": " + text;
  }
}
