const { TestEnvironment } = require('jest-environment-node');

/** Closes the services that a failed test left open: they would break files that run after it in the same process. */
module.exports = class ClosingEnvironment extends TestEnvironment {
  async handleTestEvent({ name }) {
    if (name !== 'run_finish') return;
    for (const service of this.global.openServices ?? []) await service.close();
  }
};
