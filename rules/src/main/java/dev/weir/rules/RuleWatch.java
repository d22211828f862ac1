package dev.weir.rules;

import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.RepeatingTask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rule files again when they change. Safe for many threads; close it to stop.
 *
 * <p>The files are read at an interval and compared by content, so it does not matter how they
 * change: replaced by a rename, by a symbolic link that is switched as Kubernetes does, written in
 * place, or on a file system without notifications. A change takes effect when two polls in a row
 * have read the same: a file that is still being written is left alone, and a new version is in
 * effect two intervals after it was written at the latest, three if it names a new file with
 * overrides. A file whose writer pauses for longer than an interval can still be read half written;
 * a file that is replaced by a rename cannot.
 *
 * <p>A version with a fault is refused whole, once, and the rules before it stay.
 */
public final class RuleWatch implements AutoCloseable {
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);

  private final List<Path> paths;
  private final LiveRules rules;
  private volatile RuleSet fromFiles;
  private final RepeatingTask polling =
      new RepeatingTask("reading the rule files again", Callbacks.EXECUTOR, this::poll);
  private RuleFileSnapshot settled;
  private @Nullable RuleFileSnapshot changing;

  RuleWatch(List<Path> filesOrDirectories) {
    this.paths = List.copyOf(filesOrDirectories);
    this.settled = new RuleFileSnapshot();
    this.fromFiles = RuleSet.load(settled, paths);
    this.rules = new LiveRules(fromFiles);
  }

  /**
   * Reads the rules now, and looks for changes once a second.
   *
   * @throws InvalidRulesException if the rules have a fault to begin with
   */
  public static RuleWatch start(Path... filesOrDirectories) {
    return start(DEFAULT_INTERVAL, filesOrDirectories);
  }

  /**
   * @param interval longer than zero; the time within which files are written
   */
  public static RuleWatch start(Duration interval, Path... filesOrDirectories) {
    RuleWatch watch = new RuleWatch(List.of(filesOrDirectories));
    watch.polling.start(interval);
    return watch;
  }

  /** The rules, always in their latest whole version. */
  public LiveRules rules() {
    return rules;
  }

  /**
   * The latest complete version of the files, even if other rules have been put into effect since.
   */
  public RuleSet fromFiles() {
    return fromFiles;
  }

  @Override
  public void close() {
    polling.close();
  }

  /** One poll of the files. */
  synchronized void poll() {
    RuleFileSnapshot now = (changing == null ? settled : changing).again();
    if (now.sameAs(settled)) {
      changing = null;
    } else if (changing == null || !now.sameAs(changing)) {
      changing = now;
    } else {
      settle(now);
    }
  }

  private void settle(RuleFileSnapshot now) {
    int looked = now.size();
    Runnable outcome = read(now);
    if (now.size() > looked) {
      changing = now; // the rules name files that were not looked at twice yet
      return;
    }
    settled = now;
    changing = null;
    outcome.run();
  }

  private Runnable read(RuleFileSnapshot now) {
    try {
      RuleSet next = RuleSet.load(now, paths);
      return () -> {
        fromFiles = next;
        rules.replace(next);
      };
    } catch (InvalidRulesException faults) {
      return () -> rules.refuse(faults);
    }
  }
}
