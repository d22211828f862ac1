package dev.weir.http;

import dev.weir.internal.text.PrintableText;

/**
 * A request target whose path is ambiguous: applications read it differently, and ordinary clients
 * never send it. Answer it with 400.
 */
public final class AmbiguousPathException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  AmbiguousPathException(String rule, String target) {
    super("path must " + rule + ", was " + PrintableText.quoted(target));
  }
}
