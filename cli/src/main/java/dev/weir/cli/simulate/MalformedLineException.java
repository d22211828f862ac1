package dev.weir.cli.simulate;

/** A line of a log that is no request, and why. */
final class MalformedLineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Without a stack trace: a log may have millions of such lines. */
  MalformedLineException(String reason) {
    super(reason, null, false, false);
  }
}
