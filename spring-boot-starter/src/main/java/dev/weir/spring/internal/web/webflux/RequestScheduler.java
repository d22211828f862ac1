package dev.weir.spring.internal.web.webflux;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

/**
 * Where a request goes on after a pause: on the event loop of its connection, as if there had been
 * none.
 *
 * <p>Reactor Netty up to 1.3.7, which Spring Boot 4.1.1 brings, can leave the next request on a
 * connection unread when a response was written on another thread (reactor-netty#4188, #4361).
 */
final class RequestScheduler {
  private static final boolean ON_NETTY =
      ClassUtils.isPresent("reactor.netty.Connection", RequestScheduler.class.getClassLoader());

  private RequestScheduler() {}

  static Scheduler of(ServerHttpRequest request) {
    Object server = ON_NETTY ? ServerHttpRequestDecorator.getNativeRequest(request) : null;
    return server instanceof Connection connection
        ? Schedulers.fromExecutor(connection.channel().eventLoop())
        : Schedulers.parallel();
  }
}
