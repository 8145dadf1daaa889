import { randomUUID } from 'node:crypto';
import type { ConsoleHarness } from '../harness';

export default function configurationTests(harness: ConsoleHarness): void {
  const documentWith = (name: string): string =>
    `version: 1\nsources:\n  - name: ${name}\n    enabled: true\n`;

  it('shows all that is configured to a reader, who plans nothing', async () => {
    const name = `Shop ${randomUUID()}`;
    await harness.api.post('/sources', { name });
    const page = await harness.open('reader', '/configuration');
    await page.getByRole('region', { name: 'the configuration' }).getByText(name).waitFor();
    expect(await page.getByRole('button', { name: 'Show what it would change' }).count()).toBe(0);
  });

  it('says what a pasted document would change, and applies it', async () => {
    const name = `Shop ${randomUUID()}`;
    const page = await harness.open('admin', '/configuration');
    await page.getByLabel('A document, in YAML or JSON').fill(documentWith(name));
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByText(`create source “${name}”`).waitFor();
    expect((await harness.api.get('/sources?limit=1000')).body).not.toContainEqual(
      expect.objectContaining({ name }),
    );
    await page.getByRole('button', { name: 'Apply it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply it' });
    await dialog.getByText(`create source “${name}”`).waitFor();
    await dialog.getByRole('button', { name: 'Apply it' }).click();
    await page.getByRole('region', { name: 'the configuration' }).getByText(name).waitFor();
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByText('It changes nothing.').waitFor();
  });

  it('says which item of a list it would change', async () => {
    const name = `Buyers ${randomUUID()}`;
    const rules = [3, 4].map((value) => ({ field: 'event_count', operator: 'gte', value }));
    const { body } = await harness.api.post('/segments', { name, rules });
    harness.deleteAfterwards(`/segments/${body.id}`);
    const page = await harness.open('admin', '/configuration');
    const changed = { version: 1, segments: [{ name, rules: [rules[0], { ...rules[1], value: 5 }] }] };
    await page.getByLabel('A document, in YAML or JSON').fill(JSON.stringify(changed));
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    const differences = page.getByRole('list', { name: 'Differences' }).getByRole('listitem');
    await differences.first().waitFor();
    expect(await differences.allInnerTexts()).toEqual(['rules[1].value: 4 becomes 5']);
  });

  it('applies nothing but what it has shown, and shows what it would be now', async () => {
    const name = `Shop ${randomUUID()}`;
    const page = await harness.open('admin', '/configuration');
    await page.getByLabel('A document, in YAML or JSON').fill(documentWith(name));
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByRole('button', { name: 'Apply it' }).click();
    await harness.api.post('/sources', { name });
    harness.expectComplaint(/412/);
    const dialog = page.getByRole('dialog', { name: 'Apply it' });
    await dialog.getByRole('button', { name: 'Apply it' }).click();
    await dialog.getByRole('alert').getByText('version_mismatch').waitFor();
    await dialog.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByText('It changes nothing.').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('takes JSON that is longer than YAML may be', async () => {
    const name = `Shop ${randomUUID()}`;
    const page = await harness.open('admin', '/configuration');
    const long = JSON.stringify({ version: 1, sources: [{ name, enabled: true }] }) + ' '.repeat(300 * 1024);
    await page.getByLabel('A document, in YAML or JSON').fill(long);
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByText(`create source “${name}”`).waitFor();
  });

  it('says what is wrong with a document', async () => {
    harness.expectComplaint(/400/);
    const page = await harness.open('admin', '/configuration');
    await page.getByLabel('A document, in YAML or JSON').fill('version: 1\nsources:\n  - nam: x\n');
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByRole('alert').getByText('sources[0].nam', { exact: true }).waitFor();
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const page = await harness.open('admin', '/configuration', options);
    await page.getByRole('region', { name: 'the configuration' }).waitFor();
    await page.getByLabel('A document, in YAML or JSON').fill(documentWith('Planned'));
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByText('create source “Planned”').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
  });
}
