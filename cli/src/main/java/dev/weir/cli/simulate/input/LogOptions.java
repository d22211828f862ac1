package dev.weir.cli.simulate.input;

import dev.weir.cli.options.AddressOptions;
import dev.weir.http.ClientAddress;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the lines of logs are read: options of every command that replays logs. */
public final class LogOptions {
  @Option(
      names = "--format",
      paramLabel = "<format>",
      description = "${COMPLETION-CANDIDATES}. Default: auto")
  private LogInputFormat format = LogInputFormat.AUTO;

  @Option(
      names = "--time-field",
      paramLabel = "<field>",
      description =
          "Field of lines of JSON that has the time, with dots if it is nested: an ISO instant, or"
              + " a number since 1970.")
  private @Nullable String timeField;

  @Option(
      names = "--map",
      paramLabel = "<attribute>=<field>",
      description =
          "Makes an attribute of another field of the line (of an access log: client, query,"
              + " referer, agent; of JSON also nested: request.headers.X-Tenant) or, with path/<n>,"
              + " of the n-th segment of the path; may be repeated.")
  private List<String> map = List.of();

  @Option(
      names = "--trusted-proxy",
      paramLabel = "<address>",
      description =
          "Address or network of a proxy. Where the log has a list of addresses, as X-Forwarded-For"
              + " does, proxies at its end are skipped to find the client; may be repeated.")
  private List<String> trustedProxies = List.of();

  @Mixin private AddressOptions address = new AddressOptions();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Opens logs; each is a file, compressed with gzip or not, or - for standard input. */
  public LogFiles open(List<String> names) throws IOException {
    AttributeMapping mapped = mapped();
    ClientAddress addresses = address.behind(trustedProxies);
    return LogFiles.open(names, () -> new LogLineParser(format, mapped, addresses, timeField));
  }

  private AttributeMapping mapped() {
    try {
      return AttributeMapping.of(map);
    } catch (IllegalArgumentException malformed) {
      throw new ParameterException(
          spec.commandLine(), String.valueOf(malformed.getMessage()), malformed);
    }
  }
}
