/** Redis has 16 numbered databases by default; 0 is left to tests that look at the whole server. */
const DATABASES = 15;

/**
 * The Redis of this test run, in a database of the Jest worker's own: files that run at the same time must not take
 * each other's jobs. Undefined when there is none.
 */
export function testRedisUrl(): string | undefined {
  const { CDP_TEST_REDIS_URL, JEST_WORKER_ID = '1' } = process.env;
  if (CDP_TEST_REDIS_URL === undefined) return undefined;
  const url = new URL(CDP_TEST_REDIS_URL);
  if (url.pathname.length <= 1) url.pathname = `/${((Number(JEST_WORKER_ID) - 1) % DATABASES) + 1}`;
  return url.href;
}
