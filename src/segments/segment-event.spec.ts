import { segmentEvent } from './segment-event';

describe('segmentEvent', () => {
  const change = {
    segmentId: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b',
    segmentName: 'Regulars',
    at: '2026-11-20T12:00:00.000Z',
  };
  const ids = { id: '019ab1c2-0000-7000-8000-000000000001', receivedAt: '2026-11-20T12:00:01.000Z' };

  it('tells who entered which segment', () => {
    expect(segmentEvent({ ...change, subject: 'u:ada', change: 'entered' }, ids)).toEqual({
      type: 'track',
      event: 'Segment Entered',
      userId: 'ada',
      messageId: ids.id,
      timestamp: change.at,
      receivedAt: ids.receivedAt,
      properties: { segment_id: change.segmentId, segment_name: 'Regulars' },
    });
  });

  it('tells that an anonymous visitor exited', () => {
    const event = segmentEvent({ ...change, subject: 'a:anon:1', change: 'exited' }, ids);
    expect(event).toMatchObject({ event: 'Segment Exited', anonymousId: 'anon:1' });
    expect(event).not.toHaveProperty('userId');
  });
});
