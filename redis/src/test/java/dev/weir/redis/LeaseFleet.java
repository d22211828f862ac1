package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.model.AdmissionBound.Admission;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Four processes that lease one key, and all that they admit. Used by one thread. */
final class LeaseFleet implements AutoCloseable {
  static final int MEMBERS = 4;

  /**
   * What reading two clocks one after the other may differ by; it matters at the edges of windows.
   */
  private static final long CLOCKS_APART_MICROS = 500;

  private final List<Member> members = new ArrayList<>();
  private final List<Instant> clocks = new ArrayList<>();
  private final Limit limit;

  private record Member(Process process, BufferedReader says, PrintStream told, Path file) {}

  private LeaseFleet(Limit limit) {
    this.limit = limit;
  }

  /**
   * Starts the processes and their load.
   *
   * @param limit as {@link LeaseFleetMember#limit} reads it
   * @param perSecond requests of each of a member's callers
   * @param environment of the member of that index
   */
  static LeaseFleet start(
      String uri,
      String limit,
      int perSecond,
      Path folder,
      IntFunction<Map<String, String>> environment)
      throws IOException {
    LeaseFleet fleet = new LeaseFleet(LeaseFleetMember.limit(limit));
    for (int i = 0; i < MEMBERS; i++) {
      Path file = folder.resolve("member-" + i);
      List<String> arguments = List.of(uri, limit, file.toString(), String.valueOf(perSecond));
      fleet.members.add(launch(arguments, file, environment.apply(i)));
    }
    for (Member member : fleet.members) {
      String[] ready = member.says.readLine().split(" ");
      assertThat(ready[0]).isEqualTo("ready");
      fleet.clocks.add(Instant.ofEpochMilli(Long.parseLong(ready[1])));
    }
    fleet.members.forEach(member -> member.told.println("start"));
    return fleet;
  }

  private static Member launch(List<String> arguments, Path file, Map<String, String> environment)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                LeaseFleetMember.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    PrintStream told = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    return new Member(process, process.inputReader(), told, file);
  }

  /** What the wall clocks of the members said when they were started. */
  List<Instant> clocks() {
    return clocks;
  }

  void kill(int member) throws InterruptedException {
    members.get(member).process.destroyForcibly().waitFor();
  }

  /** Sends a signal such as STOP. */
  void signal(String name, int member) throws IOException, InterruptedException {
    String pid = String.valueOf(members.get(member).process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /** Ends the load; what each process that is alive asked for, and was answered by a lease. */
  String stopLoad() throws IOException {
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
  List<Admission> admissions() throws IOException {
    long apart = limit.algorithm() == Algorithm.TOKEN_BUCKET ? 0 : CLOCKS_APART_MICROS;
    long offset = nowMicros() - System.nanoTime() / 1000;
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

  static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  @Override
  public void close() {
    members.forEach(member -> member.process.destroyForcibly());
  }
}
