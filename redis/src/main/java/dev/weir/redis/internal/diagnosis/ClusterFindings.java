package dev.weir.redis.internal.diagnosis;

import static dev.weir.redis.RedisDiagnosis.Severity.FAILURE;
import static dev.weir.redis.RedisDiagnosis.Severity.OK;
import static dev.weir.redis.RedisDiagnosis.Severity.WARNING;

import dev.weir.redis.internal.connection.ClusterView;
import dev.weir.redis.internal.connection.ClusterView.Report;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import dev.weir.redis.internal.protocol.KeyNames;
import io.lettuce.core.cluster.SlotHash;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Findings about a Cluster, from the answer of one server to CLUSTER NODES. */
final class ClusterFindings {
  private static final int MAX_TAGS = 10 * SlotHash.SLOT_COUNT;

  private final ClusterView view;
  private final List<String> lines;

  ClusterFindings(String clusterNodes, String askedHost) {
    view = ClusterView.of(List.of(new Report(clusterNodes, askedHost)));
    lines = clusterNodes.lines().toList();
  }

  Set<HostAndPort> masters() {
    return view.masters();
  }

  void addTo(FindingList findings) {
    long covered =
        IntStream.range(0, SlotHash.SLOT_COUNT).filter(slot -> view.owner(slot) != null).count();
    int masters = masters().size();
    long replicas = flagged("slave");
    long failed = flagged("fail");
    String shape =
        ServerFindings.count(masters, "master")
            + " with slots, "
            + ServerFindings.count(replicas, "replica")
            + ", "
            + covered
            + " of "
            + SlotHash.SLOT_COUNT
            + " slots";
    if (covered < SlotHash.SLOT_COUNT) {
      findings.add(FAILURE, "cluster", shape + "; keys of the others cannot be counted");
    } else if (failed > 0) {
      findings.add(
          WARNING, "cluster", shape + "; failing: " + ServerFindings.count(failed, "node"));
    } else {
      String noReplicas = "; without replicas, the keys of a lost master cannot be counted";
      findings.add(OK, "cluster", shape + (replicas == 0 && masters > 1 ? noReplicas : ""));
    }
  }

  private long flagged(String flag) {
    return lines.stream()
        .map(line -> line.split(" "))
        .filter(words -> words.length > 2 && List.of(words[2].split(",")).contains(flag))
        .count();
  }

  /** A hash tag whose keys live on this server. */
  String tagOn(HostAndPort server, KeyNames names) {
    return IntStream.range(0, MAX_TAGS)
        .mapToObj(number -> "doctor" + number)
        .filter(tag -> server.equals(view.owner(SlotHash.getSlot(names.prefix() + tag + "}"))))
        .findFirst()
        .orElse("doctor");
  }
}
