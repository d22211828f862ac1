package dev.weir.rules;

import dev.weir.rules.internal.read.DiskRuleFiles;
import dev.weir.rules.internal.read.RuleFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was read for one version of the rules, read once. Not safe for many threads.
 *
 * <p>Two snapshots are compared by what the files say, not by their times: a clock that is set
 * back, a copy that keeps times and a coarse file system change nothing.
 */
final class RuleFileSnapshot implements RuleFiles {
  private final DiskRuleFiles disk = new DiskRuleFiles();
  private final Map<Path, ReadResult<Bytes>> files = new HashMap<>();
  private final Map<Path, ReadResult<List<Path>>> listings = new HashMap<>();

  /** Bytes that are compared by content, which an array is not. */
  private record Bytes(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /** What the disk answered: a value, or a failure. */
  private record ReadResult<T>(@Nullable T value, @Nullable IOException failure) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ReadResult<?> that
          && Objects.equals(value, that.value)
          && failureText().equals(that.failureText());
    }

    @Override
    public int hashCode() {
      return Objects.hash(value, failureText());
    }

    T get() throws IOException {
      if (value == null) {
        throw failure == null ? new IOException("nothing was read") : failure;
      }
      return value;
    }

    String failureText() {
      return failure == null ? "" : failure.toString();
    }
  }

  private interface Read<T> {
    T from(Path path) throws IOException;
  }

  @Override
  public byte[] read(Path file) throws IOException {
    return files.computeIfAbsent(file, this::fileEntry).get().bytes();
  }

  @Override
  public List<Path> files(Path fileOrDirectory) throws IOException {
    return listings.computeIfAbsent(fileOrDirectory, path -> entry(disk::files, path)).get();
  }

  private ReadResult<Bytes> fileEntry(Path path) {
    return entry(file -> new Bytes(disk.read(file)), path);
  }

  private static <T> ReadResult<T> entry(Read<T> read, Path path) {
    try {
      return new ReadResult<>(read.from(path), null);
    } catch (IOException failure) {
      return new ReadResult<>(null, failure);
    }
  }

  /** The same files as they are now, and those that have joined a directory. */
  RuleFileSnapshot again() {
    RuleFileSnapshot again = new RuleFileSnapshot();
    files.keySet().forEach(path -> again.files.put(path, fileEntry(path)));
    for (Path path : listings.keySet()) {
      ReadResult<List<Path>> listing = entry(disk::files, path);
      again.listings.put(path, listing);
      if (listing.value() != null) {
        listing.value().forEach(file -> again.files.computeIfAbsent(file, again::fileEntry));
      }
    }
    return again;
  }

  /** How many files and directories have been read. */
  int size() {
    return files.size() + listings.size();
  }

  boolean sameAs(RuleFileSnapshot other) {
    return files.equals(other.files) && listings.equals(other.listings);
  }
}
