package dev.weir.examples.spring;

import dev.weir.spring.RateLimited;
import java.util.List;
import org.springframework.stereotype.Service;

/** Takes orders: each item counts. */
@Service
class OrderService {
  @RateLimited(value = "orders", key = "#customer", permits = "#items.size()")
  public String order(String customer, List<String> items) {
    return customer + " ordered " + items + "\n";
  }
}
