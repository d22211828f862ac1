package dev.weir.server.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** What this process is called on the dashboard: its machine and its process id. */
public final class InstanceName {
  private InstanceName() {}

  public static String current() {
    return Optional.ofNullable(System.getenv("HOSTNAME"))
            .filter(name -> !name.isBlank())
            .orElseGet(InstanceName::machine)
        + ", process "
        + ProcessHandle.current().pid();
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "this machine";
    }
  }
}
