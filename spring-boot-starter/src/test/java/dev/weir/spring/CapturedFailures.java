package dev.weir.spring;

import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Keeps what Spring Boot reports of a failed start. */
public final class CapturedFailures implements FailureAnalysisReporter {
  static final AtomicReference<FailureAnalysis> LAST = new AtomicReference<>();

  @Override
  public void report(FailureAnalysis analysis) {
    LAST.set(analysis);
  }
}
