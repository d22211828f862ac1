package dev.weir.cli.simulate;

import dev.weir.Decision;
import dev.weir.StoreUnavailableException;
import dev.weir.cli.time.VirtualTime;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replay from the first line to the last, or to the moment it is interrupted. Lines come from one
 * thread; another may end the run, which then takes no more lines.
 */
final class LogReplay {
  private final VirtualTime clock;
  private final LineReader reader;
  private final ReplayTarget current;
  private final @Nullable ReplayTarget candidate;
  private final @Nullable DecisionLines decisions;
  private final ReplayStatistics tally;
  private final Malformed malformed = new Malformed();
  private long lineNumber;
  private boolean ended;

  LogReplay(
      VirtualTime clock,
      LineReader reader,
      ReplayTarget current,
      @Nullable ReplayTarget candidate,
      @Nullable DecisionLines decisions,
      ReplayStatistics tally) {
    this.clock = clock;
    this.reader = reader;
    this.current = current;
    this.candidate = candidate;
    this.decisions = decisions;
    this.tally = tally;
  }

  /** Takes one line of the log; false once the run has ended. */
  synchronized boolean take(String text) throws IOException {
    if (ended) {
      return false;
    }
    lineNumber++;
    if (!text.isBlank()) {
      try {
        replay(reader.read(text));
      } catch (MalformedLineException noRequest) {
        malformed.add(lineNumber, noRequest.getMessage());
      } catch (StoreUnavailableException failed) {
        throw new StoreUnavailableException(
            "line " + lineNumber + ": " + failed.getMessage(), failed);
      }
    }
    return true;
  }

  private void replay(LogLine line) throws IOException {
    clock.moveTo(line.atMicros());
    Decision decision = current.decide(line);
    tally.add(clock.nowMicros(), decision);
    if (candidate != null) {
      tally.compare(clock.nowMicros(), decision, candidate.decide(line));
    }
    if (decisions != null) {
      decisions.add(clock.nowMicros(), decision);
    }
  }

  /** Writes what is still to be written; true the first time. */
  synchronized boolean end() throws IOException {
    if (ended) {
      return false;
    }
    ended = true;
    if (decisions != null) {
      decisions.close();
    }
    return true;
  }

  synchronized long lines() {
    return lineNumber;
  }

  List<String> malformedLines() {
    return malformed.report();
  }
}
