/**
 * A filter for Jakarta REST, which Jersey, RESTEasy, Quarkus and Helidon run. Start reading at
 * {@link dev.weir.rest.LimitedFilter}; what it decides and answers is {@link
 * dev.weir.http.HttpLimiter}'s.
 */
@NullMarked
package dev.weir.rest;

import org.jspecify.annotations.NullMarked;
