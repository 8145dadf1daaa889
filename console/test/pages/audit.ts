import { randomUUID } from 'node:crypto';
import type { ConsoleHarness } from '../harness';

const SCRIPT = '<img src=x onerror="document.title=1">';

export default function auditTests(harness: ConsoleHarness): void {
  const changedSource = async (): Promise<{ id: string; name: string }> => {
    const { body } = await harness.api.post('/sources', { name: `${SCRIPT} ${randomUUID()}` });
    await harness.api.put(`/sources/${body.id}`, { description: 'Changed by a test' });
    return body;
  };

  it('shows who changed what, before and after, as text', async () => {
    const { id, name } = await changedSource();
    const page = await harness.open('admin', `/audit?resourceId=${id}`);
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).innerText()).toMatch(/operator@example\.com\s+update\s+source/);
    expect(await rows.nth(2).innerText()).toMatch(/create\s+source/);
    await page.getByRole('button', { name: `Show: create source ${id}` }).click();
    await page.getByRole('region', { name: 'After' }).getByText(JSON.stringify(name)).waitFor();
  });

  it('finds changes by kind, id and person, and shows further pages', async () => {
    const { id } = await changedSource();
    const page = await harness.open('admin', '/audit');
    await page.getByLabel('Id', { exact: true }).fill(id);
    await page.getByLabel('Who').fill('operator@example.com');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/resourceId=/);
    await page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(2).waitFor();
    expect(await page.getByRole('table', { name: 'Changes' }).getByRole('row').count()).toBe(3);
    await page.getByLabel('Who').fill('nobody');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No change that fits.').waitFor();
  });

  it('finds what was done to tracking plans', async () => {
    const { body } = await harness.api.post('/tracking-plans', { name: `Plan ${randomUUID()}`, rules: [] });
    const page = await harness.open('admin', `/audit?resourceId=${body.id}`);
    await page.getByLabel('Kind').selectOption({ label: 'Tracking plan' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/resource=tracking_plan/);
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await rows.nth(1).waitFor();
    expect(await rows.nth(1).innerText()).toMatch(/create\s+tracking_plan/);
  });

  it('is not there for a reader', async () => {
    const page = await harness.open('reader', '/audit');
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).count()).toBe(0);
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const { id } = await changedSource();
    const page = await harness.open('admin', `/audit?resourceId=${id}`, options);
    await page.getByRole('button', { name: `Show: update source ${id}` }).click();
    await page.getByRole('region', { name: 'After' }).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
  });
}
