/**
 * The threads that guards need besides those of callers and stores. Start with {@link
 * dev.weir.internal.schedule.Scheduler}: one timer thread for the whole process, on which no code
 * of users and no call to a store ever runs.
 */
@NullMarked
package dev.weir.internal.schedule;

import org.jspecify.annotations.NullMarked;
