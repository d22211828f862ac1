package dev.weir.spring.internal.start;

import dev.weir.spring.internal.method.InvalidRateLimitedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an annotation that cannot work. */
final class InvalidRateLimitedFailureAnalyzer
    extends AbstractFailureAnalyzer<InvalidRateLimitedException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, InvalidRateLimitedException cause) {
    return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
  }
}
