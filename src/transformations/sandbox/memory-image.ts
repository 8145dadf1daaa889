/**
 * The stack of the engine lies between its static data and its heap: megabytes of zeros. What is left on it is of no
 * use to the next call.
 */
const LEAST_STACK_BYTES = 1024 * 1024;
/** Static data may end with variables that are zero. */
const SLACK_BYTES = 64 * 1024;
const CHUNK = Buffer.alloc(4096);

/** Where in a memory there is something to keep. */
export interface MemoryLayout {
  readonly dataEnd: number;
  readonly heapStart: number;
}

/** A copy of what is in the memory of an engine, so that it can be put back: some 250 KB in 10 µs. */
export interface MemoryImage {
  readonly data: Uint8Array;
  readonly heap: Uint8Array;
}

/** Of an engine that has not run anything yet. */
export function layoutOf(bytes: Buffer): MemoryLayout {
  const stackStart = bytes.indexOf(Buffer.alloc(LEAST_STACK_BYTES));
  if (stackStart < 0) throw new Error('The memory of the engine has no stack where it should be.');
  let heapStart = stackStart + LEAST_STACK_BYTES;
  while (bytes[heapStart] === 0) heapStart += 1;
  return { dataEnd: stackStart + SLACK_BYTES, heapStart };
}

export function takeImage(bytes: Buffer, { dataEnd, heapStart }: MemoryLayout): MemoryImage {
  return {
    data: Uint8Array.from(bytes.subarray(0, dataEnd)),
    heap: Uint8Array.from(bytes.subarray(heapStart, usedEnd(bytes))),
  };
}

/**
 * Behind the last byte that is not zero. The allocator writes a mark behind all that it has taken, so that nothing in
 * use is behind it.
 */
export function usedEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > CHUNK.length && CHUNK.equals(bytes.subarray(end - CHUNK.length, end))) end -= CHUNK.length;
  while (bytes[end - 1] === 0) end -= 1;
  return end;
}

export function putBack(bytes: Buffer, { data, heap }: MemoryImage, { heapStart }: MemoryLayout): void {
  bytes.set(data, 0);
  bytes.set(heap, heapStart);
}

export function sizeOf({ data, heap }: MemoryImage): number {
  return data.byteLength + heap.byteLength;
}
