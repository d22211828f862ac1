package dev.weir.model;

import dev.weir.Limit;
import dev.weir.spi.Operation;

/**
 * What one key has used of one policy whose limit has several versions.
 *
 * <p>Only what takes or gives back writes. Another version sees what was in use at the last write
 * as if it had been taken under its own limit then, until the limit that wrote forgets it.
 */
final class StateModel {
  private Limit writtenUnder;
  private Model writer;
  private long writtenAt;

  boolean fits(Limit limit, long at, long permits) {
    return view(limit, at).fits(at, permits);
  }

  boolean fresh(Limit limit, long at) {
    return view(limit, at).fresh(at);
  }

  void take(Limit limit, long at, long permits, Operation operation, boolean debt) {
    Model model = view(limit, at);
    if (operation == Operation.CHARGE) {
      write(model.charge(at, permits, debt), model, limit, at);
    } else {
      model.take(at, permits);
      write(true, model, limit, at);
    }
  }

  void refund(Limit limit, long at, long permits) {
    Model model = view(limit, at);
    write(model.refund(at, permits), model, limit, at);
  }

  void refundGrant(Limit limit, long at, long permits, long grantedAt) {
    Model model = view(limit, at);
    write(model.refundGrant(at, permits, grantedAt), model, limit, at);
  }

  private void write(boolean changed, Model model, Limit limit, long at) {
    if (changed) {
      writer = model;
      writtenUnder = limit;
      writtenAt = at;
    }
  }

  private Model view(Limit limit, long at) {
    if (writer == null || writer.fresh(at)) {
      return Model.of(limit);
    }
    if (writtenUnder.equals(limit)) {
      return writer;
    }
    Model view = Model.of(limit);
    view.adopt(writer, writtenAt);
    return view;
  }
}
