package dev.weir.server.envoy;

/** Notified of every status, on the thread that has the answer; must not block. */
@FunctionalInterface
public interface DescriptorListener {
  void answered(String domain, DescriptorStatus status);
}
