package dev.weir.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.connection.ClusterView.Report;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterViewTest {
  private static final HostAndPort A = new HostAndPort("10.0.0.1", 7000);
  private static final HostAndPort B = new HostAndPort("10.0.0.2", 7000);

  @Test
  void slotsAndRangesAreReadAndMovingOnesAreSkipped() {
    ClusterView view =
        view(
            "aaa :7000@17000 myself,master - 0 0 1 connected 0-5 7 [8->-bbb]",
            "bbb 10.0.0.2:7000@17000,name master - 0 1 2 connected 8-16383 [9-<-aaa]",
            "ccc 10.0.0.3:7000@17000 slave aaa 0 1 1 connected",
            "ddd :0@0 master,noaddr - 0 1 3 disconnected 6");
    assertThat(view.owner(0)).isEqualTo(A);
    assertThat(view.owner(7)).isEqualTo(A);
    assertThat(view.owner(6)).isNull();
    assertThat(view.owner(8)).isEqualTo(B);
    assertThat(view.owner(16383)).isEqualTo(B);
    assertThat(view.masters()).containsExactly(A, B);
  }

  @Test
  void whereServersDisagreeTheHighestEpochCounts() {
    String old = "aaa 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-100";
    String promoted = "bbb 10.0.0.2:7000@17000 master - 0 0 4 connected 0-100";
    assertThat(of(old, promoted).owner(50)).isEqualTo(B);
    assertThat(of(promoted, old).owner(50)).isEqualTo(B);
    assertThat(of(promoted, old).masters()).containsExactly(B);
  }

  @Test
  void anIpv6AddressIsRead() {
    assertThat(ClusterView.server("::1:7000@17000", "x")).isEqualTo(new HostAndPort("::1", 7000));
  }

  private static ClusterView view(String... lines) {
    return ClusterView.of(List.of(new Report(String.join("\n", lines), "10.0.0.1")));
  }

  private static ClusterView of(String first, String second) {
    return ClusterView.of(List.of(new Report(first, "x"), new Report(second, "y")));
  }
}
