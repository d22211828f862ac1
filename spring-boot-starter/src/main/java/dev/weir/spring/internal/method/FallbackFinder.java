package dev.weir.spring.internal.method;

import dev.weir.spring.RateLimitedException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Finds the method to call instead of one that is denied. */
final class FallbackFinder {
  private FallbackFinder() {}

  /**
   * @param name of the attribute {@code fallback}
   * @throws InvalidRateLimitedException if the class has no such method
   */
  static @Nullable Method find(String name, Method method, Class<?> type, String place) {
    if (name.isEmpty()) {
      return null;
    }
    Method found = ReflectionUtils.findMethod(type, name, withDenial(method));
    if (found == null) {
      found = ReflectionUtils.findMethod(type, name, method.getParameterTypes());
    }
    if (found == null || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
      throw new InvalidRateLimitedException(
          place + " names the fallback \"" + name + "\", which " + type.getName() + " lacks",
          "Add a method "
              + name
              + " with the same parameters, optionally with a RateLimitedException as the last one,"
              + " and the return type "
              + method.getReturnType().getSimpleName()
              + ".");
    }
    ReflectionUtils.makeAccessible(found);
    return found;
  }

  private static Class<?>[] withDenial(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    Class<?>[] more = Arrays.copyOf(parameters, parameters.length + 1);
    more[parameters.length] = RateLimitedException.class;
    return more;
  }

  /** The arguments for a fallback. */
  static Object[] arguments(Method fallback, Object[] arguments, RateLimitedException denial) {
    if (fallback.getParameterCount() == arguments.length) {
      return arguments;
    }
    Object[] more = Arrays.copyOf(arguments, arguments.length + 1);
    more[arguments.length] = denial;
    return more;
  }
}
