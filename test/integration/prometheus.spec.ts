import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CONFIGURATION = join(__dirname, '..', '..', 'deploy', 'prometheus', 'prometheus.yml');
const isInstalled = spawnSync('promtool', ['--version']).status === 0;

(isInstalled ? describe : describe.skip)(
  'deploy/prometheus (skipped when there is no promtool on the PATH)',
  () => {
    it('is a configuration that Prometheus takes, with the rules of the alerts', () => {
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', CONFIGURATION], {
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/alerts\.yml[^]*SUCCESS: \d+ rules found/);
    });
  },
);
