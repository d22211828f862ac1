/**
 * The threads of this process besides those of callers and stores. Start with {@link
 * dev.weir.internal.schedule.Scheduler}: one timer thread, on which no code of users and no call to
 * a store ever runs. {@code Callbacks} runs code of users, {@code Workers} background calls to
 * stores; {@code SerialExecutor} and {@code RepeatingTask} order the tasks on them. Threads of
 * callers that wait for an answer are {@code BlockedCaller}s; {@code AdaptiveSpin} says when they
 * spin, {@code WakeUpRelay} how they are woken.
 *
 * <p>Exported to our own modules alone, which start no threads of their own for such work. The
 * interceptor of gRPC has threads of its own, for work that only gRPC bounds: starting calls.
 */
@NullMarked
package dev.weir.internal.schedule;

import org.jspecify.annotations.NullMarked;
