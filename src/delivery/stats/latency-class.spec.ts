import { assert, double, property } from 'fast-check';
import { latencyClassOf, latencyOf, percentile } from './latency-class';

describe('latency classes', () => {
  it('give back a latency to within a tenth', () => {
    assert(
      property(double({ min: 1.001, max: 60_000, noNaN: true }), (ms) => {
        expect(Math.abs(latencyOf(latencyClassOf(ms)) - ms) / ms).toBeLessThan(0.1);
      }),
    );
  });

  it('make percentiles', () => {
    const counts = new Map([
      [latencyClassOf(10), 98],
      [latencyClassOf(1000), 2],
    ]);
    expect(percentile(counts, 0.5)).toBeCloseTo(10, -1);
    expect(percentile(counts, 0.99)! / 1000).toBeCloseTo(1, 0);
    expect(percentile(new Map(), 0.5)).toBeUndefined();
  });
});
