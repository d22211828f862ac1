package dev.weir.server.http;

import dev.weir.StoreUnavailableException;
import dev.weir.http.ClientAddress;
import dev.weir.internal.CompletionFailures;
import dev.weir.rules.InvalidAttributeException;
import dev.weir.rules.InvalidRulesException;
import dev.weir.server.service.InvalidRequestException;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs calls that use the store: bounds their number, reads the body, and writes the answer on the
 * event loop of the request. Used by one event loop.
 */
public final class StoreCallRunner {
  private final Context context;
  private final RequestTracker tracker;
  private final RequestBodyReader bodies;
  private final int mostBytes;
  private final WaitingRequests waiting;
  private final ClientAddress addresses;
  private final boolean shed;

  /**
   * @param addresses how an address that a client names is understood
   */
  public StoreCallRunner(
      Context context,
      RequestTracker tracker,
      int mostBytes,
      WaitingRequests waiting,
      ClientAddress addresses) {
    this(context, tracker, mostBytes, waiting, addresses, /* shed= */ true);
  }

  private StoreCallRunner(
      Context context,
      RequestTracker tracker,
      int mostBytes,
      WaitingRequests waiting,
      ClientAddress addresses,
      boolean shed) {
    this.context = context;
    this.tracker = tracker;
    this.bodies = new RequestBodyReader(tracker);
    this.mostBytes = mostBytes;
    this.waiting = waiting;
    this.addresses = addresses;
    this.shed = shed;
  }

  /**
   * A runner for administrators, whose calls are never shed, because they are needed most under
   * overload.
   */
  public StoreCallRunner neverShed() {
    return new StoreCallRunner(
        context, tracker, mostBytes, waiting.unbounded(), addresses, /* shed= */ false);
  }

  /**
   * Reads the body, runs the call, and writes the answer.
   *
   * @param members what the body may have; anything else is refused
   */
  public <T> void ask(
      Exchange exchange,
      List<String> members,
      Function<CheckRequestBody, CompletionStage<T>> call,
      BiConsumer<Exchange, T> answer) {
    bodies.read(
        exchange,
        mostBytes,
        shed,
        body ->
            guarded(
                exchange,
                () -> call.apply(CheckRequestBody.parse(body, members, addresses)),
                answer));
  }

  /** Runs a call without a body. */
  public <T> void guarded(Exchange exchange, Call<T> call, BiConsumer<Exchange, T> answer) {
    if (!tracker.hasRoom() && shed) {
      waiting.countShed();
      exchange.overloaded("requests under way hold too much memory");
      return;
    }
    if (!waiting.tryEnter()) {
      exchange.overloaded("too many requests are waiting for an answer");
      return;
    }
    CompletableFuture<T> asked;
    try {
      asked = call.start().toCompletableFuture();
    } catch (RuntimeException refused) {
      waiting.leave();
      refuse(exchange, refused);
      return;
    }
    if (asked.isDone()) {
      finish(exchange, asked, answer);
    } else {
      asked.whenComplete(
          (decided, failed) -> context.runOnContext(on -> finish(exchange, asked, answer)));
    }
  }

  /** Starts the call; bad arguments are thrown at once. */
  public interface Call<T> {
    CompletionStage<T> start();
  }

  private <T> void finish(
      Exchange exchange, CompletableFuture<T> asked, BiConsumer<Exchange, T> answer) {
    waiting.leave();
    try {
      answer.accept(exchange, asked.join());
    } catch (RuntimeException failed) {
      refuse(exchange, CompletionFailures.unwrap(failed));
    }
  }

  private static void refuse(Exchange exchange, Throwable why) {
    if (why instanceof BadRequestException bad) {
      exchange.refuse(bad);
    } else if (isOfTheClient(why)) {
      exchange.refuse(new BadRequestException(why.getMessage()));
    } else if (why instanceof BlockingTaskPool.OverloadedException) {
      exchange.overloaded(why.getMessage());
    } else if (why instanceof StoreUnavailableException) {
      exchange.overloaded("the store cannot answer");
    } else {
      Router.failed(exchange, why);
    }
  }

  /** Whether the request is at fault; any other exception is a bug. */
  private static boolean isOfTheClient(Throwable why) {
    return why instanceof InvalidRequestException
        || why instanceof InvalidAttributeException
        || why instanceof InvalidRulesException;
  }

  /** For calls that need only the body. */
  public void body(Exchange exchange, int most, Consumer<Buffer> whole) {
    bodies.read(exchange, most, shed, whole::accept);
  }
}
