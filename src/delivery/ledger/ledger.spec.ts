import type { ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import type { Database, PreparedStatement } from '../../platform/database/database';
import type { WorkerPresence } from '../presence/worker-presence';
import type { ClaimedDelivery } from './claiming/claimed-delivery';
import { Ledger } from './ledger';
import type { PendingFrom } from './pending-from';

const ID = '01a203bf-f4d3-7080-8046-68a77115cf21';

describe('a claim of a delivery that this process has just written', () => {
  let sent: string[];
  let presence: { isAlarmed: boolean };
  let ledger: Ledger;
  let fresh: ClaimedDelivery;

  beforeEach(() => {
    sent = [];
    presence = { isAlarmed: false };
    // Without the day from which on they look.
    const database = {
      query: async ({ name }: PreparedStatement) => (sent.push(name.replace(/_\d+$/, '')), []),
    };
    ledger = new Ledger(
      database as unknown as Database,
      undefined as unknown as ActiveDestinations,
      presence as unknown as WorkerPresence,
      { id: ID } as unknown as PendingFrom,
      Config.from({ CDP_DATABASE_URL: 'postgres://unused' }),
    );
    fresh = {
      id: ID,
      destinationId: 'destination',
      attempts: 0,
      attemptLimit: undefined,
      eventType: 'track',
      body: '{}',
      leaseEndsAt: performance.now() + 30_000,
    };
    ledger.keepFresh([fresh]);
  });

  it('needs no statement, once', async () => {
    expect(await ledger.claimDeliveries([ID])).toEqual([fresh]);
    expect(sent).toEqual([]);
    expect(await ledger.claimDeliveries([ID])).toEqual([]);
    expect(sent).toEqual(['take_deliveries_by_id', 'claim_deliveries_by_id']);
  });

  it('takes a lease while a worker may be gone', async () => {
    presence.isAlarmed = true;
    expect(await ledger.claimDeliveries([ID])).toEqual([]);
    expect(sent).toEqual(['claim_deliveries_by_id']);
  });

  it('asks the ledger when the delivery was left to the backlog', async () => {
    await ledger.defer([ID]);
    expect(await ledger.claimDeliveries([ID])).toEqual([]);
    expect(sent).toEqual(['defer_deliveries', 'take_deliveries_by_id', 'claim_deliveries_by_id']);
  });
});
