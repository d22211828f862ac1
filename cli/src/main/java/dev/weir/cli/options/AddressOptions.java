package dev.weir.cli.options;

import dev.weir.http.ClientAddress;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the address of a client becomes a key, with the options of {@code serve}. */
public final class AddressOptions {
  @Option(
      names = "--ipv6-prefix",
      paramLabel = "<bits>",
      description = "How much of an IPv6 address is one client. Default: 64")
  private int ipv6Prefix = 64;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  public ClientAddress addresses() {
    return behind(List.of());
  }

  /** Trusts these proxies to name the client. */
  public ClientAddress behind(List<String> trustedProxies) {
    try {
      return ClientAddress.behind(trustedProxies).withIpv6Prefix(ipv6Prefix);
    } catch (IllegalArgumentException impossible) {
      throw new ParameterException(spec.commandLine(), impossible.getMessage(), impossible);
    }
  }
}
