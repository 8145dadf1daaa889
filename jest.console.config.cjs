/** The console in a browser, against a real service. */
/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  roots: ['<rootDir>/console/test'],
  testPathIgnorePatterns: ['/node_modules/'],
};
