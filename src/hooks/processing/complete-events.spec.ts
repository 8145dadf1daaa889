import { newRowId } from '../../platform/database/connections/database-clock';
import { timeOfId } from '../../events/partitions/partition-plan';
import { completeEvents } from './complete-events';

const request = { id: newRowId(), sourceId: 's-1', sentId: 'evt_1', request: '{}', lease: 1 };
const receivedAt = new Date(timeOfId(request.id)).toISOString();

describe('completeEvents', () => {
  it('says of each which it is of its request, and when that was received', () => {
    expect(completeEvents(request, [])).toEqual([]);
    expect(completeEvents(request, ['{}', '{}'])).toEqual([
      { messageId: 'hook-evt_1-0', timestamp: receivedAt },
      { messageId: 'hook-evt_1-1', timestamp: receivedAt },
    ]);
  });

  it('goes by the id of the request where the sender has none', () => {
    expect(completeEvents({ ...request, sentId: null }, ['{}'])).toMatchObject([
      { messageId: `hook-${request.id}-0` },
    ]);
  });

  it('leaves what the transformation says', () => {
    const event = { messageId: 'm-1', timestamp: '2026-01-01T00:00:00Z' };
    expect(completeEvents(request, [JSON.stringify(event)])).toEqual([event]);
  });
});
