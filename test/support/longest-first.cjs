const { default: Sequencer } = require('@jest/test-sequencer');

// A minute and more each: begun last, one of them alone would keep everybody waiting. Jest knows no times in a new clone,
// and goes by the sizes of files.
const LONGEST = [
  'e2e/delivery.e2e',
  'delivery-order',
  'docs-and-queues',
  'webhook-batches',
  'notice-causes',
  'webhook-sources',
  'cdp-types',
  's3-export.e2e',
  'delivery-api',
  'connectors.e2e',
];

/** Jest's own order, behind the longest files. */
module.exports = class LongestFirst extends Sequencer {
  async sort(tests) {
    const place = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.includes(name));
      return at === -1 ? LONGEST.length : at;
    };
    const sorted = await super.sort(tests);
    return sorted.toSorted((left, right) => place(left) - place(right));
  }
};
