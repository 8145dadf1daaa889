import { type ConsolePage, viewOf } from '../console-page';

export const events: ConsolePage = {
  label: 'Events',
  path: '/events',
  needs: 'read',
  views: {
    '/events': viewOf(async () => (await import('./events-page')).EventsPage),
    '/events/rejected': viewOf(async () => (await import('./rejected-page')).RejectedPage),
    '/events/quarantined': viewOf(async () => (await import('./quarantined-page')).QuarantinedPage),
    '/events/live': viewOf(async () => (await import('./live/live-page')).LivePage),
    '/events/:id': viewOf(async () => (await import('./event-page')).EventPage),
  },
};
