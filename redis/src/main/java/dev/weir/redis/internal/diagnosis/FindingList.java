package dev.weir.redis.internal.diagnosis;

import dev.weir.redis.RedisDiagnosis.Finding;
import dev.weir.redis.RedisDiagnosis.Severity;
import java.util.ArrayList;
import java.util.List;

/** Collects the findings about one server. */
final class FindingList {
  private final String server;
  private final List<Finding> findings = new ArrayList<>();

  FindingList(String server) {
    this.server = server;
  }

  String server() {
    return server;
  }

  void add(Severity severity, String subject, String text) {
    findings.add(new Finding(severity, server, subject, text.replaceAll("\\s*\\R\\s*", " ")));
  }

  List<Finding> toList() {
    return List.copyOf(findings);
  }
}
