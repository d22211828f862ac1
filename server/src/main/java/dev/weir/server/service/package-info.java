/** What the service does, whatever protocol asks. */
@NullMarked
package dev.weir.server.service;

import org.jspecify.annotations.NullMarked;
