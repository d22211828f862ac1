package dev.weir.cli.demo;

import dev.weir.TimeSource;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Screen;
import dev.weir.cli.console.Terminal;
import dev.weir.cli.time.VirtualTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows in under half a minute what a limit does and how the four algorithms differ. */
@Command(name = "demo", description = "Shows the four algorithms at work, in the terminal.")
public final class DemoCommand implements Callable<Integer> {
  private static final Duration TO_READ = Duration.ofMillis(1200);

  private final Terminal terminal;

  @Option(
      names = "--fast",
      description = "Do not wait: show only the final pictures, as on a pipe.")
  private boolean fast;

  @Spec private CommandSpec spec;

  public DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    boolean animated = terminal.live() && !fast;
    try (Screen screen = new Screen(spec.commandLine().getOut(), animated)) {
      play(screen, new AnsiStyle(terminal.colour()), animated);
    }
    return 0;
  }

  /** Only the first scene is short enough for real time, and only on a live terminal. */
  private static void play(Screen screen, AnsiStyle style, boolean animated)
      throws InterruptedException {
    TokenBucketScene first =
        animated
            ? new TokenBucketScene(screen, style, TimeSource.system(), "real")
            : new TokenBucketScene(screen, style, new VirtualTime(), "virtual");
    first.play();
    screen.pause(TO_READ);
    new ComparisonScene(screen, style).play();
    screen.pause(TO_READ);
    new WindowEdgeScene(screen, style).play();
    screen.line("");
    screen.line("Next: README.md to use it, docs/algorithms.md to choose among the four.");
  }
}
