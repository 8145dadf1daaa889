import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/built-service';
import { BootError } from '../platform/boot/boot-error';
import { readDocument } from './read-document';

describe('readDocument', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  const reading = (text: string): Promise<unknown> => {
    const file = join(folder.path, 'cdp.yaml');
    writeFileSync(file, text);
    return readDocument(file);
  };

  it('takes YAML and JSON', async () => {
    for (const text of ['version: 1\nsources: [{ name: A }]', '{"version":1,"sources":[{"name":"A"}]}']) {
      expect(await reading(text)).toEqual({ version: 1, sources: [{ name: 'A' }] });
    }
  });

  it.each([
    ['a: [1', 'at line 1'],
    ['a: *nobody', 'nobody'],
    ['a: &a [*a]', 'aliases'],
    [`- &a x\n${'- *a\n'.repeat(10_001)}`, 'aliases'],
    ['['.repeat(50_000), 'nested too deep'],
    ['# nothing', 'is empty'],
  ])('says why it cannot, in words (%#)', async (text, reason) => {
    const error = await reading(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BootError);
    expect((error as BootError).message).toContain(reason);
  });
});
