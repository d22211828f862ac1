package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisDiagnosis.Finding;
import dev.weir.redis.RedisDiagnosis.Severity;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
final class RedisDiagnosisTest {
  private static final String ENOUGH =
      "-@all +evalsha +script|load +time +get +set +del +zadd +zcard +zcount +zrange +zrevrange"
          + " +zrangebyscore +zrem +zremrangebyscore +pexpire +ping +hello +auth +info";

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  @Test
  void aPlainServerHasOneFindingPerSubjectAndKeepsNothing() {
    RedisProcess redis = SERVERS.redis();
    List<Finding> findings = examine(redis.uri());
    assertThat(findings).extracting(Finding::server).containsOnly("127.0.0.1:" + redis.port());
    assertThat(findings)
        .extracting(Finding::subject)
        .containsExactly(
            "connection",
            "version",
            "role",
            "eviction",
            "memory",
            "persistence",
            "shape",
            "scripts",
            "access",
            "clock",
            "latency");
    assertThat(findings).noneMatch(finding -> finding.severity() == Severity.FAILURE);
    assertThat(redis.commandList("KEYS", "*")).isEmpty();
  }

  @Test
  void theAccessRuleIsEnoughAndWhatItHidesIsUnknown() {
    try (RedisProcess redis = RedisProcess.start()) {
      user(redis, ENOUGH);
      List<Finding> findings = examine("redis://poor:pw@127.0.0.1:" + redis.port());
      assertThat(find(findings, "access").text())
          .isEqualTo("this user may run every command that the scripts use");
      assertThat(find(findings, "persistence").severity()).isEqualTo(Severity.UNKNOWN);
      assertThat(findings).noneMatch(finding -> finding.severity() == Severity.FAILURE);
    }
  }

  @Test
  void aMissingRightIsNamedWithTheRuleThatIsEnough() {
    try (RedisProcess redis = RedisProcess.start()) {
      user(redis, ENOUGH + " -zadd -pexpire");
      List<Finding> findings = examine("redis://poor:pw@127.0.0.1:" + redis.port());
      assertThat(find(findings, "access").severity()).isEqualTo(Severity.FAILURE);
      assertThat(find(findings, "access").text())
          .startsWith("refused inside scripts: ZADD, PEXPIRE: ")
          .contains("This access rule is enough: ACL SETUSER weir");
      assertThat(redis.commandList("KEYS", "*")).isEmpty();
    }
  }

  @Test
  void aServerWithoutConfigCommandIsTakenAsItIs() {
    try (RedisProcess redis = RedisProcess.start("--rename-command", "CONFIG", "")) {
      List<Finding> findings = examine(redis.uri());
      assertThat(find(findings, "persistence").text()).startsWith("snapshots unknown");
      assertThat(findings).noneMatch(finding -> finding.severity() == Severity.FAILURE);
    }
  }

  @Test
  void aServerWithoutScriptsCannotBeUsed() {
    try (RedisProcess redis = RedisProcess.start("--rename-command", "EVALSHA", "")) {
      Finding scripts = find(examine(redis.uri()), "scripts");
      assertThat(scripts.severity()).isEqualTo(Severity.FAILURE);
      assertThat(scripts.text())
          .startsWith("EVALSHA is refused: ")
          .endsWith("Scripts are switched off on this server, and decisions need them");
    }
  }

  @Test
  void evictionFailsOnlyWhereMemoryIsBounded() {
    try (RedisProcess redis =
        RedisProcess.start("--maxmemory", "64mb", "--maxmemory-policy", "volatile-lru")) {
      assertThat(find(examine(redis.uri()), "eviction").severity()).isEqualTo(Severity.FAILURE);
      redis.command("CONFIG", "SET", "maxmemory", "0");
      assertThat(find(examine(redis.uri()), "eviction").severity()).isEqualTo(Severity.WARNING);
      redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      assertThat(find(examine(redis.uri()), "eviction").severity()).isEqualTo(Severity.OK);
    }
  }

  @Test
  void aReplicaIsRefused() {
    try (RedisProcess master = RedisProcess.start();
        RedisProcess replica = RedisProcess.start()) {
      replica.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
      Finding role = find(examine(replica.uri()), "role");
      assertThat(role.severity()).isEqualTo(Severity.FAILURE);
      assertThat(role.text()).startsWith("a replica, which cannot count");
    }
  }

  @Test
  void aServerThatDoesNotListenIsAFinding() {
    RedisProcess redis = RedisProcess.start();
    redis.close();
    assertThat(examine(redis.uri()))
        .singleElement()
        .matches(finding -> finding.severity() == Severity.FAILURE)
        .extracting(Finding::text)
        .asString()
        .endsWith("Connection refused");
  }

  @Test
  @Tag("slow")
  void everyMasterOfAClusterIsExaminedAndItsShapeShown() {
    List<Finding> findings = examine(SERVERS.cluster().uri());
    assertThat(find(findings, "cluster").text())
        .startsWith("3 masters with slots, 0 replicas, 16384 of 16384 slots");
    assertThat(findings)
        .filteredOn(finding -> finding.subject().equals("access"))
        .hasSize(3)
        .allMatch(finding -> finding.severity() == Severity.OK);
    String oneNode = SERVERS.cluster().masters().get(0).uri();
    assertThat(find(examine(oneNode), "shape").text())
        .isEqualTo("a node of a Cluster; use an address that begins with redis-cluster://");
  }

  @Test
  @Tag("slow")
  void theMasterThatSentinelsNameIsExamined() {
    List<Finding> findings = examine(SERVERS.sentinels().uri());
    assertThat(find(findings, "shape").text()).isEqualTo("master named by Sentinels");
    assertThat(find(findings, "role").text()).isEqualTo("master, 1 replica connected");
  }

  @Test
  @Tag("external")
  void valkeyIsCalledByItsName() {
    var program = ExternalPrograms.require(RedisBinary.valkey(), "valkey-server");
    try (RedisProcess valkey = RedisProcess.start(program)) {
      List<Finding> findings = examine(valkey.uri());
      assertThat(find(findings, "version").text()).startsWith("Valkey ");
      assertThat(findings).noneMatch(finding -> finding.severity() == Severity.FAILURE);
    }
  }

  private static void user(RedisProcess redis, String rights) {
    String rule = "ACL SETUSER poor on >pw resetkeys ~weir:1:default:{* " + rights;
    redis.command(rule.split(" "));
  }

  private static List<Finding> examine(String address) {
    return RedisDiagnosis.examine(address, "default", Duration.ofSeconds(10));
  }

  private static Finding find(List<Finding> findings, String subject) {
    return findings.stream()
        .filter(finding -> finding.subject().equals(subject))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no finding about " + subject + " in " + findings));
  }
}
