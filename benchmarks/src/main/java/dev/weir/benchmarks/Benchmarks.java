package dev.weir.benchmarks;

import dev.weir.benchmarks.redis.RedisBenchmarks;
import dev.weir.benchmarks.service.ServiceBenchmarks;
import dev.weir.benchmarks.soak.Soak;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.openjdk.jmh.runner.RunnerException;

/** The program: measures everything, and writes the tables of the report; or soaks the service. */
public final class Benchmarks {
  private static final int WRONG_USE = 2;

  private Benchmarks() {}

  public static void main(String[] arguments)
      throws IOException, RunnerException, InterruptedException {
    if (arguments.length > 0 && arguments[0].equals("soak")) {
      System.exit(Soak.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
    }
    Options options;
    MarkedText report;
    try {
      options = Options.parse(arguments);
      // Read first: a report that cannot be written should not be noticed after an hour.
      report = MarkedText.parse(Files.readString(options.report()), options.place().part);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage() + "\n" + Options.USAGE);
      System.exit(WRONG_USE);
      return;
    }
    Files.writeString(options.report(), report.with(measure(options)));
    System.out.println("wrote " + options.report());
  }

  private static String measure(Options options)
      throws IOException, RunnerException, InterruptedException {
    boolean terminal = System.console() != null;
    return switch (options.place()) {
      case PROCESS -> inProcess(options.effort(), terminal);
      case REDIS -> RedisBenchmarks.measure(options.effort(), options.images(), terminal);
      case HTTP -> ServiceBenchmarks.measure(options.effort(), terminal);
    };
  }

  private static String inProcess(Effort effort, boolean terminal)
      throws IOException, RunnerException, InterruptedException {
    Progress progress = new Progress(System.out, terminal, Rounds.steps(effort), System::nanoTime);
    return new Report(new Rounds(effort, progress).run()).render(effort);
  }
}
