package dev.weir.cli.simulate;

import dev.weir.Decision;
import java.util.List;

/** What a replay adds up to. Not safe for many threads. */
final class Tally {
  private long requests;
  private long denied;
  private long newlyDenied;
  private long newlyAllowed;

  void add(long atMicros, Decision decision) {
    requests++;
    denied += decision.allowed() ? 0 : 1;
  }

  void compare(Decision now, Decision then) {
    newlyDenied += now.allowed() && !then.allowed() ? 1 : 0;
    newlyAllowed += then.allowed() && !now.allowed() ? 1 : 0;
  }

  long requests() {
    return requests;
  }

  List<String> report() {
    return List.of("requests " + requests + " denied " + denied);
  }
}
