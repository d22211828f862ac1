package dev.weir.cli.simulate.replay;

import dev.weir.Decision;
import dev.weir.StoreUnavailableException;
import dev.weir.cli.simulate.input.LogLineParser;
import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.cli.simulate.input.MalformedLineException;
import dev.weir.cli.simulate.input.MalformedLines;
import dev.weir.cli.time.VirtualTime;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replay from the first line to the last, or to the moment it is interrupted. Lines come from one
 * thread; another may end the run, which then takes no more lines.
 */
public final class LogReplay {
  private final VirtualTime clock;
  private final LogLineParser reader;
  private final ReplayTarget current;
  private final @Nullable ReplayTarget candidate;
  private final @Nullable DecisionLinesWriter decisions;
  private final ReplayStatistics statistics;
  private final MalformedLines malformed = new MalformedLines();
  private long lineNumber;
  private boolean ended;

  public LogReplay(
      VirtualTime clock,
      LogLineParser reader,
      ReplayTarget current,
      @Nullable ReplayTarget candidate,
      @Nullable DecisionLinesWriter decisions,
      ReplayStatistics statistics) {
    this.clock = clock;
    this.reader = reader;
    this.current = current;
    this.candidate = candidate;
    this.decisions = decisions;
    this.statistics = statistics;
  }

  /** Takes one line of the log; false once the run has ended. */
  public synchronized boolean take(String text) throws IOException {
    if (ended) {
      return false;
    }
    lineNumber++;
    if (!text.isBlank()) {
      try {
        LoggedRequest request = reader.read(text);
        replay(request);
        if (request.unknownClient() != null) {
          malformed.addUnknownClient(lineNumber, request.unknownClient());
        }
      } catch (MalformedLineException noRequest) {
        malformed.add(lineNumber, noRequest.getMessage());
      } catch (StoreUnavailableException failed) {
        throw new StoreUnavailableException(
            "line " + lineNumber + ": " + failed.getMessage(), failed);
      }
    }
    return true;
  }

  private void replay(LoggedRequest line) throws IOException {
    clock.moveTo(line.atMicros());
    Decision decision = current.decide(line);
    statistics.add(clock.nowMicros(), decision);
    if (candidate != null) {
      statistics.compare(clock.nowMicros(), decision, candidate.decide(line));
    }
    if (decisions != null) {
      decisions.add(clock.nowMicros(), decision);
    }
  }

  /** Writes what is still to be written; true the first time. */
  public synchronized boolean end() throws IOException {
    if (ended) {
      return false;
    }
    ended = true;
    if (decisions != null) {
      decisions.close();
    }
    return true;
  }

  public synchronized long lines() {
    return lineNumber;
  }

  public List<String> malformedLines() {
    return malformed.report();
  }
}
