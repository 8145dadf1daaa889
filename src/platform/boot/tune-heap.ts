import { setFlagsFromString } from 'node:v8';

export const HEAP_FLAGS = [
  /**
   * Lets the heap double, buffers included, before V8 collects the old generation. By itself V8 collected it for every 8
   * MB of buffers. Under load that was twice a second, and requests waited for it (decision 0035). The limit is still
   * that of `--max-old-space-size`.
   */
  '--heap-growing-percent=100',
  /**
   * Keeps V8 from making objects in the old generation where many made at the same place were seen alive. Here they are
   * events that wait for PostgreSQL: they are gone some milliseconds later (decision 0184).
   */
  '--no-allocation-site-pretenuring',
];

/** Tells V8 how this service uses memory. Before anything else runs. A version of V8 without a flag ignores it. */
export function tuneHeap(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
}
