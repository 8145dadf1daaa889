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

  it.each([
    [
      { CDP_MAX_EVENT_BYTES: '2000', CDP_MAX_BATCH_BYTES: '1000' },
      /CDP_MAX_EVENT_BYTES: .*CDP_MAX_BATCH_BYTES/,
    ],
    [{ CDP_MAX_ID_LENGTH: '513' }, /CDP_MAX_ID_LENGTH/],
    [{ CDP_MAX_NAME_BYTES: '1025' }, /CDP_MAX_NAME_BYTES/],
    [{ CDP_MAX_EVENT_DEPTH: '0' }, /CDP_MAX_EVENT_DEPTH/],
    [{ CDP_MAX_MESSAGE_ID_LENGTH: 'long' }, /CDP_MAX_MESSAGE_ID_LENGTH/],
    [{ CDP_MAX_BATCH_EVENTS: '-1' }, /CDP_MAX_BATCH_EVENTS/],
  ])('refuses the limits %j', (variables, message) => {
    expect(() => Config.from(variables)).toThrow(message);
  });
});
