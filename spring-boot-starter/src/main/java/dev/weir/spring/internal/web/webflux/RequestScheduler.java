package dev.weir.spring.internal.web.webflux;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

/**
 * Runs a request on the event loop of its connection: when it continues after waiting for the
 * store, and when its denial is written.
 *
 * <p>Reactor Netty up to 1.3.7, which Spring Boot 4.1.1 brings, can leave the next request on a
 * connection unread when a response was written on another thread (reactor-netty#4188, #4361).
 */
final class RequestScheduler {
  private static final boolean ON_NETTY =
      ClassUtils.isPresent("reactor.netty.Connection", RequestScheduler.class.getClassLoader());

  private RequestScheduler() {}

  static Scheduler of(ServerHttpRequest request) {
    EventLoop loop = eventLoop(request);
    return loop == null ? Schedulers.parallel() : Schedulers.fromExecutor(loop);
  }

  /** Writes on the event loop; immediately if this is its thread, or if there is none. */
  static Mono<Void> onEventLoop(ServerHttpRequest request, Mono<Void> writing) {
    EventLoop loop = eventLoop(request);
    return loop == null || loop.inEventLoop()
        ? writing
        : writing.subscribeOn(Schedulers.fromExecutor(loop));
  }

  private static @Nullable EventLoop eventLoop(ServerHttpRequest request) {
    Object server = ON_NETTY ? ServerHttpRequestDecorator.getNativeRequest(request) : null;
    return server instanceof Connection connection ? connection.channel().eventLoop() : null;
  }
}
