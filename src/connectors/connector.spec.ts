import { type BatchConnector, sendsBatches } from './connector';

interface Config {
  readonly batch?: object;
}

describe('whether a destination gets batches', () => {
  const always = { sendBatch: () => Promise.resolve({}) } as unknown as BatchConnector<Config>;
  const onDemand = { ...always, sendsBatches: ({ batch }: Config) => batch !== undefined };

  it('is so of each one whose connector sends nothing else', () => {
    expect(sendsBatches(always, {})).toBe(true);
  });

  it('follows from the config where the connector says so', () => {
    expect(sendsBatches(onDemand, { batch: {} })).toBe(true);
    expect(sendsBatches(onDemand, {})).toBe(false);
  });
});
