package dev.weir.cli.simulate.replay;

import dev.weir.Decision;
import dev.weir.StoreUnavailableException;
import dev.weir.cli.simulate.input.LogFiles.PlacedRequest;
import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.cli.simulate.input.MalformedLineException;
import dev.weir.cli.simulate.input.MalformedLines;
import dev.weir.cli.simulate.replay.UnusedLimits.UnusedLimit;
import dev.weir.cli.time.VirtualTime;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replay from the first request to the last, or to the moment it is interrupted. Requests come
 * from one thread; another may end the run, which then takes no more of them.
 */
public final class LogReplay {
  private final VirtualTime clock;
  private final ReplayTarget current;
  private final @Nullable ReplayTarget candidate;
  private final @Nullable DecisionLinesWriter decisions;
  private final ReplayStatistics statistics;
  private final MalformedLines malformed;
  private boolean ended;

  /**
   * @param malformed counts requests that rules refuse
   */
  public LogReplay(
      VirtualTime clock,
      ReplayTarget current,
      @Nullable ReplayTarget candidate,
      @Nullable DecisionLinesWriter decisions,
      ReplayStatistics statistics,
      MalformedLines malformed) {
    this.clock = clock;
    this.current = current;
    this.candidate = candidate;
    this.decisions = decisions;
    this.statistics = statistics;
    this.malformed = malformed;
  }

  /** Takes one request of the log; false once the run has ended. */
  public synchronized boolean take(PlacedRequest placed) throws IOException {
    if (ended) {
      return false;
    }
    try {
      replay(placed.request());
    } catch (MalformedLineException refused) {
      malformed.add(placed.place(), refused.getMessage());
    } catch (StoreUnavailableException failed) {
      throw new StoreUnavailableException(placed.place() + ": " + failed.getMessage(), failed);
    }
    return true;
  }

  private void replay(LoggedRequest line) throws IOException {
    clock.moveTo(line.atMicros());
    Decision decision = current.decide(line);
    statistics.add(clock.nowMicros(), decision, claim -> current.isCounted(line, claim));
    if (candidate != null) {
      statistics.compare(clock.nowMicros(), decision, candidate.decide(line));
    }
    if (decisions != null) {
      decisions.add(clock.nowMicros(), decision);
    }
  }

  /** The limits that no request has asked, and why. */
  public List<UnusedLimit> unused() {
    return current.unused(statistics);
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
}
