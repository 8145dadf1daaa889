import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config, InvalidConfigError, VARIABLE_NAMES } from './config';

const example = [
  ...readFileSync(join(__dirname, '../../../.env.example'), 'utf8').matchAll(/^#?([A-Z][A-Z_]+)=(.*)$/gm),
].map(([, name, value]) => [name, value] as const);

describe('.env.example', () => {
  it('lists every variable of the service once, and no other', () => {
    const listed = example.map(([name]) => name);
    expect(new Set(listed)).toEqual(new Set(VARIABLE_NAMES));
    expect(listed).toHaveLength(VARIABLE_NAMES.length);
  });

  it('shows the defaults of the service', () => {
    const shown = Object.fromEntries(example.filter(([, value]) => value !== ''));
    const { CDP_EGRESS_ALLOW: shownAllowance, ...rest } = Config.from(shown).env;
    expect(rest).toEqual(Config.from({}).env);
    expect(shownAllowance).toEqual(['127.0.0.0/8', '::1/128']);
  });
});

describe('Config', () => {
  it('counts an empty variable as not set, except where it has a meaning of its own', () => {
    const { env } = Config.from({ PORT: '', CDP_EGRESS_ALLOW: '' });
    expect(env.PORT).toBe(3000);
    expect(env.CDP_EGRESS_ALLOW).toEqual([]);
  });

  it('names every variable that is wrong', () => {
    const refused = (): Config => Config.from({ PORT: 'http', CDP_ROLES: 'worker,boss' });
    expect(refused).toThrow(InvalidConfigError);
    expect(refused).toThrow(/PORT: .*\n.*CDP_ROLES/);
  });
});
