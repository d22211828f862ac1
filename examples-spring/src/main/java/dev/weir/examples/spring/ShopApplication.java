package dev.weir.examples.spring;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A shop: requests are limited by address, orders by customer and number of items. */
@SpringBootApplication
public class ShopApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }

  /** What customers call. */
  @RestController
  record Orders(OrderService service) {
    @GetMapping("/orders")
    String list() {
      return "no orders\n";
    }

    @PostMapping("/orders")
    String order(@RequestParam String customer, @RequestParam List<String> items) {
      return service.order(customer, items);
    }
  }
}
