package dev.weir.server.http;

import dev.weir.StoreUnavailableException;
import io.vertx.core.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The way of every call that asks the store: bounded in number, body read, answer written on the
 * event loop that read the request. Used by one event loop.
 */
public final class StoreCallRunner {
  private static final String AWAY_TYPE =
      "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

  private final Context context;
  private final RequestBodyReader bodies;
  private final int mostBytes;
  private final InFlight inFlight;

  public StoreCallRunner(
      Context context, RequestBodyReader bodies, int mostBytes, InFlight inFlight) {
    this.context = context;
    this.bodies = bodies;
    this.mostBytes = mostBytes;
    this.inFlight = inFlight;
  }

  /** The same for administrators, who are never shed: overload is when they are needed. */
  public StoreCallRunner neverShed() {
    return new StoreCallRunner(context, bodies, mostBytes, inFlight.unbounded());
  }

  /** Reads a question, asks, and writes the answer. */
  public <T> void ask(
      Exchange exchange,
      Function<CheckRequestBody, CompletionStage<T>> call,
      BiConsumer<Exchange, T> answer) {
    bodies.read(
        exchange.request(),
        mostBytes,
        body -> guarded(exchange, () -> call.apply(CheckRequestBody.parse(body)), answer),
        exchange::refuse);
  }

  /** Asks without a body. */
  public <T> void guarded(Exchange exchange, Call<T> call, BiConsumer<Exchange, T> answer) {
    if (!inFlight.tryEnter()) {
      shed(exchange);
      return;
    }
    CompletableFuture<T> asked;
    try {
      asked = call.start().toCompletableFuture();
    } catch (RuntimeException refused) {
      inFlight.leave();
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

  /** Starts to ask; bad arguments are thrown at once. */
  public interface Call<T> {
    CompletionStage<T> start();
  }

  private <T> void finish(
      Exchange exchange, CompletableFuture<T> asked, BiConsumer<Exchange, T> answer) {
    inFlight.leave();
    try {
      answer.accept(exchange, asked.join());
    } catch (CompletionException failed) {
      refuse(exchange, failed.getCause());
    } catch (RuntimeException bug) {
      refuse(exchange, bug);
    }
  }

  private static void refuse(Exchange exchange, Throwable why) {
    if (why instanceof BadRequestException bad) {
      exchange.refuse(bad);
    } else if (why instanceof IllegalArgumentException argument) {
      exchange.refuse(new BadRequestException(argument.getMessage()));
    } else if (why instanceof StoreUnavailableException) {
      away(exchange, "the store cannot answer");
    } else {
      Router.failed(exchange, why);
    }
  }

  private static void shed(Exchange exchange) {
    away(exchange, "too many requests are waiting for an answer");
  }

  static void away(Exchange exchange, String detail) {
    exchange.response().putHeader("Retry-After", "1").putHeader("Cache-Control", "no-store");
    exchange.problem(503, AWAY_TYPE, "Temporary Reduced Capacity", detail);
  }

  /** For calls that need the body and nothing else of this. */
  public void body(Exchange exchange, int most, Consumer<String> whole) {
    bodies.read(exchange.request(), most, body -> whole.accept(body.toString()), exchange::refuse);
  }
}
