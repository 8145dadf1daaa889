/**
 * Threads of the pool in which names are looked up, and requests and files are compressed. No more than half of them
 * look names up at a time, and one does so for ten seconds where name servers are silent. By itself there are four.
 */
const THREADS = '32';

// libuv reads it, not the configuration; processes that this one starts have it as well.
process.env.UV_THREADPOOL_SIZE ??= THREADS;
