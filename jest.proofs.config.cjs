const { availableParallelism } = require('node:os');

/** The long proofs of what survives: processes stop, are killed, stores go away, people come and go at the same time. */
/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  roots: ['<rootDir>/test/proofs'],
  testPathIgnorePatterns: ['/node_modules/'],
  // They take a minute or two; a machine that is slow may need three times that.
  testTimeout: 600_000,
  // What they start and kill computes more than it waits.
  maxWorkers: Math.min(4, availableParallelism()),
};
