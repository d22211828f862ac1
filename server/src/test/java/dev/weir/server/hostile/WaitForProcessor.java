package dev.weir.server.hostile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long threads of a process were ready to run and got no processor, as Linux counts it: the
 * part of a delay that the machine explains. Only the threads count that an answer depends on.
 * Nothing is explained where Linux does not say.
 */
final class WaitForProcessor {
  private final Path threads;
  private final List<String> names;
  private Map<String, Long> before;

  private WaitForProcessor(long pid, List<String> names) {
    this.threads = Path.of("/proc", String.valueOf(pid), "task");
    this.names = names;
    before = nanosByThread();
  }

  /** Of the event loops of the service, and of collections of garbage that stop them. */
  static WaitForProcessor ofService(long pid) {
    return new WaitForProcessor(pid, List.of("vert.x", "VM Thread", "GC Thread"));
  }

  /** Of those in this process that ask for the health. */
  static WaitForProcessor ofClient() {
    return new WaitForProcessor(
        ProcessHandle.current().pid(), List.of("health-watch", "HttpClient", "VM Thread"));
  }

  /** Of the thread that waited the longest since the last call. */
  long longestNanos() {
    Map<String, Long> now = nanosByThread();
    long longest = 0;
    for (Map.Entry<String, Long> thread : now.entrySet()) {
      longest = Math.max(longest, thread.getValue() - before.getOrDefault(thread.getKey(), 0L));
    }
    before = now;
    return longest;
  }

  private Map<String, Long> nanosByThread() {
    Map<String, Long> nanos = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        nanos.put(thread.getFileName().toString(), waitedNanos(thread));
      }
    } catch (IOException notLinux) {
      nanos.clear();
    }
    return nanos;
  }

  /** The second number of the file; a thread that has just ended did not wait. */
  private long waitedNanos(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"));
      return names.stream().anyMatch(name::startsWith)
          ? Long.parseLong(Files.readString(thread.resolve("schedstat")).strip().split(" ")[1])
          : 0;
    } catch (IOException ended) {
      return 0;
    }
  }
}
