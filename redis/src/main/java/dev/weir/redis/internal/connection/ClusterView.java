package dev.weir.redis.internal.connection;

import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import io.lettuce.core.cluster.SlotHash;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which server each hash slot of a Cluster lives on, from what CLUSTER NODES of one or more servers
 * say.
 *
 * <p>If they disagree, the owner with the highest configuration epoch wins. The servers resolve
 * conflicts by the same rule, so a server that was cut off from the others cannot bring an old
 * master back. Immutable once read.
 */
public final class ClusterView {
  private static final int FLAGS = 2;
  private static final int EPOCH = 6;
  private static final int FIRST_SLOT = 8;

  private final @Nullable HostAndPort[] owners = new HostAndPort[SlotHash.SLOT_COUNT];
  private final long[] epochs = new long[SlotHash.SLOT_COUNT];

  private ClusterView() {}

  /** The answer of one server, and the host used to reach it: it may not know its own name. */
  public record Report(String clusterNodes, String askedHost) {}

  public static ClusterView of(Collection<Report> reports) {
    ClusterView view = new ClusterView();
    reports.forEach(report -> report.clusterNodes().lines().forEach(l -> view.read(l, report)));
    return view;
  }

  /** The server of a hash slot; null if no server has it. */
  public @Nullable HostAndPort owner(int slot) {
    return owners[slot];
  }

  /** All servers that have hash slots. */
  public Set<HostAndPort> masters() {
    Set<HostAndPort> masters = new LinkedHashSet<>();
    for (HostAndPort owner : owners) {
      if (owner != null) {
        masters.add(owner);
      }
    }
    return masters;
  }

  /** {@code id host:port@bus[,name] flags master ping pong epoch link slot slot-slot ...} */
  private void read(String line, Report report) {
    String[] words = line.split(" ");
    if (words.length <= FIRST_SLOT || !words[FLAGS].contains("master")) {
      return;
    }
    HostAndPort server = server(words[1], report.askedHost());
    if (server.port() == 0) {
      return; // the server that was asked does not know this one's address
    }
    long epoch = Long.parseLong(words[EPOCH]);
    for (int i = FIRST_SLOT; i < words.length; i++) {
      if (!words[i].startsWith("[")) { // brackets: a hash slot that is being migrated
        claim(words[i], server, epoch);
      }
    }
  }

  private void claim(String slots, HostAndPort server, long epoch) {
    int dash = slots.indexOf('-');
    int first = Integer.parseInt(dash < 0 ? slots : slots.substring(0, dash));
    int last = dash < 0 ? first : Integer.parseInt(slots.substring(dash + 1));
    for (int slot = first; slot <= last; slot++) {
      if (owners[slot] == null || epochs[slot] < epoch) {
        owners[slot] = server;
        epochs[slot] = epoch;
      }
    }
  }

  /** Reads {@code host:port}, with or without what follows it in CLUSTER NODES. */
  static HostAndPort server(String text, String askedHost) {
    String plain = text.replaceAll("[@,].*", "");
    int colon = plain.lastIndexOf(':');
    String host = plain.substring(0, colon);
    return new HostAndPort(
        host.isEmpty() ? askedHost : host, Integer.parseInt(plain.substring(colon + 1)));
  }
}
