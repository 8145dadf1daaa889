import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { fill, SCRIPT, table } from '../parts';
import { Shop } from '../shop';

export default function auditTests(harness: ConsoleHarness): void {
  const changedSource = async (): Promise<{ id: string; name: string }> => {
    const { body } = await harness.api.post('/sources', { name: `${SCRIPT} ${randomUUID()}` });
    await harness.api.put(`/sources/${body.id}`, { description: 'Changed by a test' });
    return body;
  };

  it('shows who did what to which thing, by its name, with a link to it', async () => {
    const { id, name } = await changedSource();
    const page = await harness.open('admin', `/audit?resourceId=${id}`);
    const rows = table(page, 'Changes').getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).innerText()).toMatch(/operator@example\.com\s+Updated\s+Source\s/);
    expect(await rows.nth(2).innerText()).toMatch(/Created\s+Source\s/);
    await rows.nth(1).getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.goto('about:blank'); // It would look for the source again.
    await harness.api.delete(`/sources/${id}`);
    const later = await harness.open('admin', `/audit?resourceId=${id}`);
    await table(later, 'Changes').getByText(`${name} (deleted)`).first().waitFor();
    expect(await table(later, 'Changes').getByRole('link').count()).toBe(0);
  });

  it('shows in what a change made another of it, with both documents behind it, as text', async () => {
    const { body } = await harness.api.post('/segments', {
      name: `${SCRIPT} ${randomUUID()}`,
      rules: [
        { field: 'event_count', operator: 'gte', value: 3 },
        { field: 'traits.vip', operator: 'eq', value: true },
      ],
    });
    harness.deleteAfterwards(`/segments/${body.id}`);
    await harness.api.put(`/segments/${body.id}`, {
      description: SCRIPT,
      rules: [{ field: 'event_count', operator: 'gte', value: 5 }, body.rules[1]],
    });
    const page = await harness.open('admin', `/audit?resourceId=${body.id}`);
    const update = table(page, 'Changes').getByRole('row').nth(1);
    await update.getByText('rules[0].value, description', { exact: true }).waitFor();
    const creation = table(page, 'Changes').getByRole('row').nth(2);
    await creation.getByText('match "all", rules', { exact: false }).waitFor();
    await update.getByRole('button', { name: `Show: Updated: Segment ${body.name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Updated: Segment ${body.name}` });
    const lines = dialog.getByRole('list', { name: 'Differences' }).getByRole('listitem');
    await lines.nth(1).waitFor();
    expect(await lines.allInnerTexts()).toEqual([
      'rules[0].value: 3 becomes 5',
      `description: "" becomes ${JSON.stringify(SCRIPT)}`,
    ]);
    expect(await dialog.getByRole('region').count()).toBe(0);
    await dialog.getByText('Before and after, as JSON').press('Enter');
    await dialog.getByRole('region', { name: 'before' }).getByText('"value": 3').waitFor();
    await dialog.getByRole('region', { name: 'after' }).getByText('"value": 5').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Show: Created: Segment ${body.name}` }).press('Enter');
    await page.getByRole('dialog').getByRole('region', { name: 'after' }).getByText('"value": 3').waitFor();
  });

  it('leads to a delivery, among those of its destination', async () => {
    const shop = await Shop.open(harness);
    try {
      const destination = await shop.aDestination('/bad');
      harness.deleteAfterwards(`/destinations/${destination.id}`);
      await shop.send({ userId: 'ada', event: 'Order Completed' });
      const deliveryId = await eventually(async () => {
        const { body } = await harness.api.get(`/dead-letters?destinationId=${destination.id}`);
        expect(body).toHaveLength(1);
        return body[0].id as string;
      });
      await harness.api.delete(`/dead-letters/${deliveryId}`);
      const page = await harness.open('admin', `/audit?resourceId=${deliveryId}`);
      await table(page, 'Changes').getByRole('link', { name: deliveryId }).click();
      await page.getByRole('heading', { name: 'Delivery of Order Completed', level: 1 }).waitFor();
    } finally {
      await shop.close();
    }
  });

  it('shows code line by line', async () => {
    const codeOf = (name: string): string =>
      `export const transform = (event) => {\n  event.shop = '${name}';\n  return event;\n};\n`;
    const { body } = await harness.api.post('/transformations', {
      name: `Code ${randomUUID()}`,
      code: codeOf('north'),
    });
    await harness.api.put(`/transformations/${body.id}`, { code: codeOf('south') });
    const page = await harness.open('admin', `/audit?resourceId=${body.id}`);
    await page.getByRole('button', { name: 'Show: Updated' }).click();
    const text = await page.getByRole('region', { name: 'the differences' }).innerText();
    expect(text).toMatch(/^ {2}export.*\n- {3}event\.shop = 'north';\n\+ {3}event\.shop = 'south';\n/);
  });

  it('shows no secret, and says when only one has changed', async () => {
    const { body } = await harness.api.post('/destinations', {
      name: `Hidden ${randomUUID()}`,
      type: 'webhook',
      config: { url: 'https://orders.example.com/', secret: 'a-secret-of-some-length-9f3b' },
    });
    const config = { url: 'https://orders.example.com/new', secret: 'another-of-some-length-77aa' };
    await harness.api.put(`/destinations/${body.id}`, { config });
    const secret = 'a-third-of-some-length-77aa';
    await harness.api.put(`/destinations/${body.id}`, { config: { ...config, secret } });
    const page = await harness.open('admin', `/audit?resourceId=${body.id}`);
    const show = page.getByRole('button', { name: 'Show: Updated' });
    await show.nth(1).click();
    const dialog = page.getByRole('dialog');
    const differences = dialog.getByRole('list', { name: 'Differences' });
    await differences.getByText('config.secret: "****9f3b" becomes "****77aa"').waitFor();
    await differences.getByText('config.url: "https://orders.example.com/" becomes').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await show.nth(0).click();
    await dialog.getByText('Only what is hidden has changed.').waitFor();
    expect(await page.content()).not.toContain('of-some-length');
  });

  it('finds changes by kind, action, person, id and time, which the address has, and shows further pages', async () => {
    const { id } = await changedSource();
    const page = await harness.open('admin', '/audit');
    const rows = table(page, 'Changes').getByRole('row');
    await fill(page.getByRole('search'), {
      Kind: 'Source',
      Id: id,
      Who: 'operator@example.com',
      'Changed from': '2026-01-01T00:00:00',
      'Changed before': '2999-01-01T00:00:00',
    });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/resourceId=/);
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    await fill(page.getByRole('search'), { Action: 'Created' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/action=create/);
    await eventually(async () => expect(await rows.count()).toBe(2));
    await page.reload();
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    await fill(page.getByRole('search'), { 'Changed before': '2026-01-02T00:00:00' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No change that fits.').waitFor();
    await fill(page.getByRole('search'), { Who: 'nobody', 'Changed before': '' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/actor=nobody/);
    await page.getByText('No change that fits.').waitFor();
  });

  it('goes on with the next page of a search', async () => {
    const { body } = await harness.api.post('/sources', { name: `Busy ${randomUUID()}` });
    for (let index = 0; index < 51; index += 1)
      await harness.api.put(`/sources/${body.id}`, { description: `${index}` });
    const page = await harness.open('admin', `/audit?action=update&resourceId=${body.id}`);
    const rows = table(page, 'Changes').getByRole('row');
    await rows.nth(50).waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(51).waitFor();
    expect(await rows.count()).toBe(52);
  });

  it('leads from a change to all of its thing, and to all of its person', async () => {
    const { id } = await changedSource();
    const page = await harness.open('admin', `/audit?action=create&resourceId=${id}`);
    await page.getByRole('button', { name: 'Show: Created' }).click();
    await page.getByRole('link', { name: 'All that was done to it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await table(page, 'Changes').getByRole('row').nth(2).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      resource: 'source',
      resourceId: id,
    });
    await page.getByRole('button', { name: 'Show: Created' }).click();
    await page.getByRole('link', { name: 'All that operator@example.com did' }).click();
    await page.waitForURL(/\?actor=operator%40example\.com$/);
  });

  it('says what is wrong with an address', async () => {
    harness.expectComplaint(/400/);
    const page = await harness.open('admin', '/audit?action=destroy');
    await page.getByRole('alert').getByText('action', { exact: true }).waitFor();
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
    await table(page, 'Changes').getByRole('row').nth(2).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show: Updated' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Before and after, as JSON').click();
    await dialog.getByRole('region', { name: 'after' }).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
}
