package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.FaultReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process without memory ends with a message, whoever notices first. */
@Tag("slow")
@Timeout(60)
final class OutOfMemoryExitTest {
  @ParameterizedTest
  @ValueSource(strings = {"thread", "logged", "jvm", "outside the heap"})
  void aProcessThatIsOutOfMemoryEndsWithAMessage(String how) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx32m", "-cp", System.getProperty("java.class.path")));
    if (how.equals("jvm")) {
      command.add("-XX:+ExitOnOutOfMemoryError"); // as the script and the image start it
    }
    command.addAll(List.of(MemoryHog.class.getName(), how));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(3);
    assertThat(said).containsIgnoringCase(how.equals("jvm") ? "OutOfMemoryError" : "out of memory");
    FaultReport.row("69 OutOfMemoryError, noticed by: " + how, 1, "exit code 3 with a message");
  }

  /** Netty's own cannot be made here. */
  private static final class OutOfDirectMemory extends OutOfMemoryError {
    private static final long serialVersionUID = 1;
  }

  /** Keeps two threads: one that takes all memory, and one that would keep the process alive. */
  static final class MemoryHog {
    private MemoryHog() {}

    public static void main(String[] arguments) throws InterruptedException {
      LogFormat.TEXT.install();
      OutOfMemoryExit.install();
      Thread eater = new Thread(() -> eat(arguments[0]));
      eater.start();
      Thread.currentThread().join();
    }

    /** As Netty says it, until the process ends. */
    private static void failOutsideTheHeap() {
      Logger library = Logger.getLogger("some.library");
      while (true) {
        library.log(Level.WARNING, "a read failed", new OutOfDirectMemory());
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }

    private static void eat(String how) {
      if (how.equals("outside the heap")) {
        failOutsideTheHeap();
      }
      List<byte[]> eaten = new ArrayList<>();
      try {
        while (true) {
          eaten.add(new byte[1 << 20]);
        }
      } catch (OutOfMemoryError full) {
        eaten.clear();
        if (how.equals("thread")) {
          throw full;
        }
        Logger.getLogger("some.library")
            .log(Level.WARNING, "a task failed", new IllegalStateException(full));
      }
    }
  }
}
