import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap double, buffers included, before V8 collects the old generation. By itself V8 collected it for every 8
 * MB of buffers. Under load that was twice a second, and requests waited for it (decision 0035). The limit is still
 * that of `--max-old-space-size`. A version of V8 without this flag ignores it.
 */
export function letHeapGrow(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
