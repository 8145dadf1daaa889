// The last line of a test run: which queue backends its queue suites ran on.
module.exports = class QueueBackendsReporter {
  onRunComplete() {
    const line =
      process.env.CDP_TEST_REDIS_URL === undefined
        ? 'PostgreSQL only: no CDP_TEST_REDIS_URL and no redis-server on the PATH'
        : 'PostgreSQL and Redis';
    process.stderr.write(`\nQueue backends under test: ${line}\n`);
  }
};
