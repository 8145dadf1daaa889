/** What one call may have. Counted, not timed: a call that fits once fits on every machine, however busy it is. */

/** What lives in the memory of a call, the engine and the code included. */
export const MEMORY_BYTES = 16 * 1024 * 1024;

/** How deep functions may call each other: some thousand times. In bytes of the engine's own stack. */
export const STACK_BYTES = 256 * 1024;

/**
 * How often the engine asks whether to go on: after each 10,000 calls and passes of loops, and each 10,000 steps of a
 * regular expression. Some 30 ms of loops, some 300 ms of a regular expression.
 */
export const MAX_INTERRUPTS = 500;

/** UTF-16 units of the JSON that a call returns. */
export const MAX_RESULT_LENGTH = 1024 * 1024;

/** UTF-8 bytes of a code. */
export const MAX_CODE_BYTES = 64 * 1024;

/** How often it is looked whether a call is still under way. */
export const LOOK_MS = 100;

/**
 * The last resort for what is not counted, such as many searches in long texts: some fifty times what a call of the
 * most steps takes. It is time that the thread has run, so that a busy machine makes no difference; where the system
 * does not say that, the time from look to look, because a process that stood still has not looked.
 */
export const MAX_CPU_MS = 5_000;

/**
 * What calls get of it at first. What needs more goes again, alone, after codes that used less: otherwise twenty codes
 * that nobody knows yet, and that never end, would keep the next one waiting for minutes. Calls whose steps are counted
 * need less, but for the longest regular expressions.
 */
export const FIRST_CPU_MS = 300;

/**
 * In looks: a thread starts in a tenth of a second, but what has no cores to run on may take as long as it takes.
 */
export const MAX_START_LOOKS = 300;

/** In looks, too: a thread that has not run for five seconds in so many of them stands still for whatever reason. */
export const MAX_LOOKS = 1_200;
