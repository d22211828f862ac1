package dev.weir.spring;

import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** A bean with limited methods, called by handlers. */
class LimitedService {
  @RateLimited(rule = "calls", key = "#p0")
  public String call(String key) {
    return "called " + key;
  }

  @RateLimited(rule = "calls", key = "#p0")
  public CompletableFuture<String> callLater(String key) {
    return CompletableFuture.supplyAsync(() -> "called " + key);
  }

  @RateLimited(rule = "calls", key = "#p0")
  public Mono<String> callReactive(String key) {
    return Mono.just("called " + key);
  }
}
