package dev.weir.cli.simulate.input;

/** A line of a log that is no request, and why. */
public final class MalformedLineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Without a stack trace: a log may have millions of such lines. */
  public MalformedLineException(String reason) {
    super(reason, null, false, false);
  }
}
