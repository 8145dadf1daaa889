import { Metrics } from './metrics';

describe('the metrics of the process', () => {
  it('are right in the first answer', async () => {
    const { user, system } = process.cpuUsage();
    const text = await new Metrics().text();
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    expect(valueOf('process_cpu_seconds_total')).toBeGreaterThanOrEqual((user + system) / 1e6);
    expect(text).not.toMatch(/ nan$/im);
    const lags = ['min', 'mean', 'max', 'p99'].map((part) => valueOf(`nodejs_eventloop_lag_${part}_seconds`));
    expect(lags.filter((lag) => !(lag > 0 && lag < 60))).toEqual([]);
  });
});
