package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Announces this instance to the others that share its Redis, and lists their names for the
 * dashboard. Safe for many threads.
 *
 * <p>A shared text has one line per instance: its id, a counter that it increments every few
 * seconds, and its name. An instance that sees a counter unchanged for 20 seconds removes that
 * line. So no clocks of different machines are compared, and the line of an instance that died is
 * removed by the others.
 */
public final class FleetMembership implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FleetMembership.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration COUNTS_FOR = Duration.ofSeconds(20);
  private static final int MAX_LINES = 100;
  private static final int LONGEST_NAME = 100;
  private static final int ATTEMPTS = 10;

  private final String id = UUID.randomUUID().toString();
  private final String name;
  private final Optional<FleetText> shared;
  private final LongSupplier nanoTime;
  private final RepeatingTask beating;
  private final Map<String, LastBeat> seen = new HashMap<>(); // used by one beat at a time
  private long beats;
  private boolean closed;
  private volatile List<String> others = List.of();

  private record InstanceLine(String id, long beat, String name) {
    @Override
    public String toString() {
      return id + " " + beat + " " + name;
    }
  }

  private record LastBeat(long beat, long nanos) {}

  FleetMembership(String name, Optional<FleetText> shared, LongSupplier nanoTime) {
    this.name = shortened(name.replaceAll("\\s+", " "));
    this.shared = shared;
    this.nanoTime = nanoTime;
    this.beating = new RepeatingTask("naming instances", Workers.EXECUTOR, this::beat);
  }

  /**
   * Announces this instance every few seconds, until it is closed.
   *
   * @param shared the text that instances share; without it there is only this one
   */
  public static FleetMembership start(String name, Optional<FleetText> shared) {
    FleetMembership started = new FleetMembership(name, shared, System::nanoTime);
    if (shared.isPresent()) {
      Workers.EXECUTOR.execute(started::beat);
      started.beating.start(PAUSE);
    }
    return started;
  }

  /** The others that are alive, at most a hundred, in the order of their names. Never waits. */
  public List<String> others() {
    return others;
  }

  synchronized void beat() {
    if (closed) {
      return;
    }
    beats++;
    try {
      change(lines -> lines.add(new InstanceLine(id, beats, name)));
    } catch (StoreUnavailableException unavailable) {
      others = List.of(); // nobody knows
    }
  }

  /** One change to the lines of this instance. */
  private interface Change {
    void to(List<InstanceLine> lines);
  }

  private void change(Change change) {
    FleetText text = shared.orElseThrow();
    for (int i = 0; i < ATTEMPTS; i++) {
      Optional<String> read = text.read();
      List<InstanceLine> alive = alive(read.orElse(""));
      others = alive.stream().map(InstanceLine::name).sorted().toList();
      change.to(alive);
      if (text.swap(read, asText(alive))) {
        return;
      }
    }
    LOG.log(System.Logger.Level.DEBUG, "others announced themselves at the same time");
  }

  /**
   * The lines of other instances whose counter changed within 20 seconds; if there are too many,
   * the last lines are left out.
   */
  private List<InstanceLine> alive(String text) {
    long now = nanoTime.getAsLong();
    List<InstanceLine> alive = new ArrayList<>();
    Map<String, LastBeat> before = new HashMap<>(seen);
    seen.clear();
    for (InstanceLine line : parse(text)) {
      LastBeat known = before.get(line.id);
      LastBeat latest =
          known != null && known.beat == line.beat ? known : new LastBeat(line.beat, now);
      boolean isAlive = now - latest.nanos < COUNTS_FOR.toNanos();
      if (isAlive && !line.id.equals(id) && alive.size() < MAX_LINES - 1) {
        alive.add(line);
        seen.put(line.id, latest);
      }
    }
    return alive;
  }

  /** Lines of another format are ignored: another version may have written them. */
  private static List<InstanceLine> parse(String text) {
    List<InstanceLine> lines = new ArrayList<>();
    for (String line : text.split("\n")) {
      String[] parts = line.split(" ", 3);
      if (parts.length == 3 && parts[1].matches("\\d{1,18}")) {
        lines.add(new InstanceLine(parts[0], Long.parseLong(parts[1]), shortened(parts[2])));
      }
    }
    return lines;
  }

  private static Optional<String> asText(List<InstanceLine> lines) {
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("\n", lines.stream().map(InstanceLine::toString).toList()));
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME);
  }

  /** Removes the line of this instance. If Redis does not answer, the others remove it later. */
  @Override
  public void close() {
    beating.close();
    if (shared.isPresent()) {
      signOff();
    }
  }

  private synchronized void signOff() {
    closed = true;
    try {
      change(lines -> {});
    } catch (StoreUnavailableException | IllegalStateException gone) {
      LOG.log(System.Logger.Level.DEBUG, "could not sign off", gone);
    }
  }
}
