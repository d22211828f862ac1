package dev.weir.cli.serve;

import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Terminal;
import dev.weir.rules.InvalidRulesException;
import dev.weir.server.WeirServer;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the service until the process is stopped. */
@Command(
    name = "serve",
    description = "Runs the service: decisions over HTTP, metrics and probes.",
    defaultValueProvider = Environment.class,
    sortOptions = false,
    footer = {
      "",
      "Every option can be given in the environment: --admin-token-file as",
      "WEIR_ADMIN_TOKEN_FILE. The admin token itself may be in WEIR_ADMIN_TOKEN, and",
      "the address of the store, which may hold a password, in WEIR_STORE.",
      "",
      "Exit status: 143 stopped by SIGTERM, 130 by Ctrl-C, 1 cannot start: faulty",
      "rules, no store, no port, a file that cannot be read;",
      "2 usage error, 3 out of memory."
    })
public final class ServeCommand implements Callable<Integer> {
  private final AnsiStyle style;

  @Mixin private ServeOptions serve = new ServeOptions();

  @Option(
      names = "--log",
      paramLabel = "text|json",
      description = "How to log: lines to read, or one JSON object per line. Default: text")
  private LogFormat log = LogFormat.TEXT;

  @Option(
      names = "--rehearse",
      hidden = true,
      description = "Start, answer one request and stop: loads every class that a start needs.")
  private boolean rehearse;

  @Spec private CommandSpec spec;

  public ServeCommand(Terminal terminal) {
    style = new AnsiStyle(terminal.colour());
  }

  @Override
  public Integer call() throws InterruptedException {
    log.install();
    OutOfMemoryExit.install();
    WeirServer server;
    try {
      server = WeirServer.start(serve.options());
    } catch (IllegalStateException cannotStart) {
      spec.commandLine().getErr().println(cannotStart.getMessage());
      return 1;
    } catch (InvalidRulesException faults) {
      throw faults;
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
    new StartScreen(server, serve, style).print(spec.commandLine().getOut());
    if (rehearse) {
      ClassLoadingWarmUp.ask(server.port());
      server.close();
    } else {
      awaitSignal(server);
    }
    return 0;
  }

  /** The JVM stops when the hook is done; this thread only has to wait for that. */
  private static void awaitSignal(WeirServer server) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  stopped.countDown();
                },
                "weir-stop"));
    stopped.await();
  }
}
