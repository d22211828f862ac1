package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.redis.AdmissionBound.Admission;
import dev.weir.testkit.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four processes that lease the same key never exceed the limit over any interval, whatever happens
 * to them: every admission is collected with its time.
 */
@Tag("slow")
@Timeout(300)
final class LeaseFleetTest {
  private static final int MEMBERS = 4;

  /**
   * What reading two clocks one after the other may differ by; it matters at the edges of windows.
   */
  private static final long CLOCKS_APART_MICROS = 500;

  @TempDir private Path folder;
  private RedisProcess redis;
  private final List<Member> members = new ArrayList<>();

  private record Member(Process process, BufferedReader says, PrintStream told, Path file) {}

  @BeforeEach
  void startServer() {
    redis = RedisProcess.start();
  }

  @AfterEach
  void stop() {
    members.forEach(member -> member.process.destroyForcibly());
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token-bucket 1500 400 1000",
        "token-bucket 1000 3000 1000",
        "fixed-window 900 0 700",
        "sliding-window 900 0 700"
      })
  void theLimitHoldsOverEveryInterval(String text) throws Exception {
    Limit limit = LeaseFleetMember.limit(text);
    start(text, 1000);
    Fleet.lasting(Duration.ofSeconds(2));
    members.get(1).process.destroyForcibly().waitFor(); // kill -9 of a holder
    Fleet.lasting(Duration.ofSeconds(1));
    signal("STOP", members.get(2));
    Fleet.lasting(LeaseFleetMember.LEASE.multipliedBy(3));
    signal("CONT", members.get(2));
    Fleet.lasting(Duration.ofSeconds(2));
    String counts = stopLoad();
    List<Admission> admissions = admissions(limit);
    System.out.println(text + ": " + admissions.size() + " admitted; asked, by lease: " + counts);
    assertThat(admissions).isNotEmpty();
    assertThat(AdmissionBound.excess(limit, admissions)).isNotPositive();
  }

  /** A flush forgets what was used, with leases and without: once more the capacity at most. */
  @ParameterizedTest
  @ValueSource(strings = {"token-bucket 1000 600 1000", "fixed-window 600 0 800"})
  void aFlushGivesNoMoreThanOneCapacity(String text) throws Exception {
    start(text, 800);
    Fleet.lasting(Duration.ofSeconds(2));
    try (Admin admin = Admin.of(redis.uri())) {
      admin.flush();
    }
    Fleet.lasting(Duration.ofSeconds(2));
    stopLoad();
    Limit limit = LeaseFleetMember.limit(text);
    Limit doubled =
        limit instanceof Limit.TokenBucket bucket
            ? bucket.withBurst(2 * bucket.capacity())
            : Limit.fixedWindow(2 * limit.capacity(), limit.period());
    assertThat(AdmissionBound.excess(doubled, admissions(limit))).isNotPositive();
  }

  private void start(String limit, int perSecond) throws IOException {
    for (int i = 0; i < MEMBERS; i++) {
      members.add(launch(limit, folder.resolve("member-" + i), perSecond));
    }
    for (Member member : members) {
      assertThat(member.says.readLine()).isEqualTo("ready");
    }
    members.forEach(member -> member.told.println("start"));
  }

  private Member launch(String limit, Path file, int perSecond) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            LeaseFleetMember.class.getName(),
            redis.uri(),
            limit,
            file.toString(),
            String.valueOf(perSecond));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    PrintStream told = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    return new Member(process, process.inputReader(), told, file);
  }

  private static void signal(String name, Member member) throws IOException, InterruptedException {
    String pid = String.valueOf(member.process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /** What each process that is alive asked for, and was answered by a lease. */
  private String stopLoad() throws IOException {
    StringBuilder counts = new StringBuilder();
    for (Member member : members) {
      if (member.process.isAlive()) {
        member.told.println("stop");
        counts.append(member.says.readLine()).append("; ");
      }
    }
    return counts.toString();
  }

  /** All admissions, in the time of this machine's clock, which is the server's. */
  private List<Admission> admissions(Limit limit) throws IOException {
    long apart = limit.algorithm() == Algorithm.TOKEN_BUCKET ? 0 : CLOCKS_APART_MICROS;
    long offset =
        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - System.nanoTime() / 1000;
    List<Admission> admissions = new ArrayList<>();
    for (Member member : members) {
      for (int caller = 0; caller < LeaseFleetMember.CALLERS; caller++) {
        Path notes = member.file.resolveSibling(member.file.getFileName() + "-" + caller);
        LongBuffer times = ByteBuffer.wrap(Files.readAllBytes(notes)).asLongBuffer();
        for (long before = times.get(); before != 0; before = times.get()) {
          admissions.add(
              new Admission(
                  before / 1000 + offset - apart, times.get() / 1000 + 1 + offset + apart));
        }
      }
    }
    return admissions;
  }
}
