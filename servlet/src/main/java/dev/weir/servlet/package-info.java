/**
 * A filter for servlet containers. Start reading at {@link dev.weir.servlet.WeirFilter}; what it
 * decides and answers is {@link dev.weir.http.HttpLimiter}'s.
 */
@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
