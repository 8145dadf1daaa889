const { availableParallelism } = require('node:os');

// Jest's sandbox has its own module loader, so packages that are published as ES modules only are compiled.
const esmOnly = [
  '@nestjs',
  '@tokenizer',
  '@borewit',
  '@octokit',
  'file-type',
  'hyparquet',
  'hyparquet-writer',
  'strtok3',
  'token-types',
  'uint8array-extras',
  'content-disposition',
  'cookie',
  '@fastify/cookie',
  'jose',
  'load-esm',
  'openid-client',
  'oauth4webapi',
];
const swc = (parser, transform) => [
  '@swc/jest',
  {
    swcrc: false,
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
    jsc: { target: 'es2022', parser, transform, keepClassNames: true },
  },
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/closing-environment.cjs',
  roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/console'],
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  // They have commands of their own: `npm run test:proofs` and `npm run test:console`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/proofs/', '<rootDir>/console/test/'],
  // The package's own exports, as connectors import them.
  moduleNameMapper: {
    '^cdp-service/connector$': '<rootDir>/src/connectors/kit.ts',
    '^cdp-service/testing$': '<rootDir>/src/testing/index.ts',
    // Threads have no Jest around them: what they run is built, see `buildService`.
    '^\\./sandbox-worker\\.js$': '<rootDir>/dist/transformations/sandbox/sandbox-worker.js',
  },
  resolver: '<rootDir>/test/support/jest-resolver.cjs',
  transform: {
    '^.+\\.ts$': swc(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    ),
    '^.+\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  // Judges the last node_modules of a path: nested copies exist.
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/)(?!(?:${esmOnly.join('|')})/)`],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/queue-backends-reporter.cjs'],
  // Patience for machines that are busy: a test that waits twice may need more than one `eventually`.
  testTimeout: 90_000,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // One more than there are cores: tests wait more than they compute. Each worker runs whole services with some 40
  // connections to the one PostgreSQL; more than four gain nothing beside it, and where the machine is slow each has too
  // little of it.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  // A worker keeps what its files have loaded. Beyond this it is replaced.
  workerIdleMemoryLimit: '1GB',
};
