package dev.weir.server.envoy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.server.envoy.LimitedDescriptor.Kind;
import java.util.ArrayList;
import java.util.List;

/** Claims on different states that are asked about at once. Not safe for many threads. */
final class ClaimRound {
  private final List<Claim> claims = new ArrayList<>();
  private final List<AskedRate> parts = new ArrayList<>();

  /** One rate of a line; its answer has the same index as its claim. */
  private record AskedRate(LimitedDescriptor line, int rate) {}

  /** Splits lines so that no round has two claims on one state; answers blocked claims at once. */
  static List<ClaimRound> of(List<LimitedDescriptor> lines) {
    List<ClaimRound> rounds = new ArrayList<>(1);
    for (LimitedDescriptor line : lines) {
      for (int rate = 0; rate < line.claims.size(); rate++) {
        if (line.claims.get(rate).isBlocked()) {
          line.add(RateOutcome.blocked(line.rate(rate), passesBlocked(line)));
        } else {
          add(rounds, new AskedRate(line, rate));
        }
      }
    }
    return rounds;
  }

  /** A refund, or a charge of nothing, passes on a blocked key. */
  private static boolean passesBlocked(LimitedDescriptor line) {
    return line.kind == Kind.GIVE_BACK || line.kind == Kind.CHARGE && line.hits == 0;
  }

  private static void add(List<ClaimRound> rounds, AskedRate part) {
    Claim claim = part.line.claims.get(part.rate);
    for (ClaimRound round : rounds) {
      if (round.claims.stream().noneMatch(claim::sameState)) {
        round.add(claim, part);
        return;
      }
    }
    ClaimRound next = new ClaimRound();
    next.add(claim, part);
    rounds.add(next);
  }

  private void add(Claim claim, AskedRate part) {
    claims.add(claim);
    parts.add(part);
  }

  List<Claim> claims() {
    return claims;
  }

  void answer(Decision decision) {
    for (int i = 0; i < parts.size(); i++) {
      AskedRate part = parts.get(i);
      LimitedDescriptor line = part.line;
      long taken = line.kind == Kind.CHARGE ? line.hits : 0;
      line.add(RateOutcome.of(line.rate(part.rate), decision.outcomes().get(i), taken));
    }
  }
}
