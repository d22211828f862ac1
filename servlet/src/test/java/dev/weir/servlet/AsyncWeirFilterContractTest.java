package dev.weir.servlet;

import dev.weir.http.HttpLimiter;

/** The filter on Tomcat, with no thread waiting for the store. */
final class AsyncWeirFilterContractTest extends WeirFilterContractTest {
  @Override
  WeirFilter filter(HttpLimiter limiter) {
    return WeirFilter.builder(limiter).async().build();
  }
}
