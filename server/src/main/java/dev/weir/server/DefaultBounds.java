package dev.weir.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Default bounds, derived from the heap and the file descriptors of the process. The shares of
 * keys, connections and requests leave more than a quarter of the heap to the rules and everything
 * else.
 */
final class DefaultBounds {
  private static final int MAX_CONNECTIONS = 10_000;
  private static final int LEAST_CONNECTIONS = 100;

  /**
   * For the jar, the store, logs and what the JVM itself opens, for the connections of
   * administrators, and for those of clients that are being closed.
   */
  private static final int OTHER_FILES = 500;

  /** One of nine connections may be about to be closed. */
  private static final int OF_NINE = 8;

  /** An unfinished head of the largest size, as it is read and as it is parsed. */
  private static final int CONNECTION_BYTES = 40_000;

  /** With the buffers and sessions of TLS and the state of HTTP/2. */
  private static final int TLS_CONNECTION_BYTES = 120_000;

  private static final int CONNECTION_SHARE = 4;
  private static final int REQUEST_SHARE = 8;
  private static final int STORE_SHARE = 3;

  private DefaultBounds() {}

  static int connections(boolean tls) {
    long each = tls ? TLS_CONNECTION_BYTES : CONNECTION_BYTES;
    long fitting = Runtime.getRuntime().maxMemory() / CONNECTION_SHARE / each;
    long files = (openFiles() - OTHER_FILES) / 9 * OF_NINE;
    long most = Math.min(Math.min(MAX_CONNECTIONS, fitting), files);
    return (int) Math.max(LEAST_CONNECTIONS, most);
  }

  static long requestBytes() {
    return Runtime.getRuntime().maxMemory() / REQUEST_SHARE;
  }

  /** Of a memory store; the guards around Redis have bounds of the same size. */
  static long storeBytes() {
    return Runtime.getRuntime().maxMemory() / STORE_SHARE;
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
