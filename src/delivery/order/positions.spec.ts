import type { CustomerEvent, Subject } from '../../events/customer-event';
import { noteAcceptance } from '../../events/inbox/acceptance';
import type { NewDelivery } from '../ledger/insert-deliveries';
import { deletionNotice, personNotice } from '../new-notices';
import { personKey } from './person-key';
import { AS_THEY_ARE, Positions } from './positions';

const destinationId = 'd';

function anEvent(id: string, subject: Subject): CustomerEvent {
  return { id, subject, type: 'track', timestamp: '2026-11-23T09:00:00.000Z' } as CustomerEvent;
}

function deliveryOf(event: NewDelivery['event'] & { readonly payload?: string }): NewDelivery {
  return { id: `delivery of ${event.id}`, destinationId, event, payload: event.payload };
}

describe('the positions of the deliveries of a transaction', () => {
  const events = [anEvent('e1', 'a:visitor'), anEvent('e2', 'u:ada'), anEvent('e3', 'u:grace')];
  noteAcceptance(events, [
    { accepted: '10', ids: '{e2}' },
    { accepted: '9', ids: '{e1,e3}' },
  ]);
  const rootOf = (subject: Subject): Subject => (subject === 'a:visitor' ? 'u:ada' : subject);
  const positions = new Positions(events, { rootOf, merged: [] });

  it.each([
    ['e1', '9', 'u:ada'],
    ['e2', '10', 'u:ada'],
    ['e3', '9', 'u:grace'],
  ])('are that of the row that brought %s, in the order of the profile', (id, position, root) => {
    const event = events.find((one) => one.id === id)!;
    expect(positions.of(deliveryOf(event))).toEqual({ person: personKey(root), position });
  });

  it('are behind the last event of the person for what is told of them', () => {
    const change = {
      segmentId: 's',
      segmentName: 'VIP',
      change: 'entered',
      at: '2026-11-23T09:00:00.000Z',
    } as const;
    const notice = personNotice({ ...change, subject: 'u:ada' });
    expect(positions.of(deliveryOf(notice))).toEqual({ person: personKey('u:ada'), position: '10' });
    const other = personNotice({ ...change, subject: 'u:eve' });
    expect(positions.of(deliveryOf(other))).toEqual({ person: personKey('u:eve'), position: undefined });
  });

  it('are nobody else’s for what is about nobody', () => {
    const notice = deletionNotice(
      'u:ada',
      { userIds: ['ada'], anonymousIds: [] },
      '2026-11-23T09:00:00.000Z',
    );
    const [one, two] = ['1', '2'].map((id) => positions.of({ ...deliveryOf(notice), id }));
    expect(one!.person).not.toBe(two!.person);
    // An event about a group that has the same subject is not.
    const event = anEvent('e4', 'g:delete');
    expect(positions.of(deliveryOf(event)).person).toBe(personKey('g:delete'));
  });

  it('are behind everything for events that no row brought', () => {
    const event = anEvent('e5', 'u:ada');
    expect(new Positions([event], AS_THEY_ARE).of(deliveryOf(event)).position).toBeUndefined();
  });
});
