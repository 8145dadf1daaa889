import { type ConsolePage, viewOf } from '../console-page';

export const people: ConsolePage = {
  label: 'People',
  path: '/people',
  needs: 'read',
  views: {
    '/people': viewOf(async () => (await import('./people-page')).PeoplePage),
    '/people/person': viewOf(async () => (await import('./person-page')).PersonPage),
  },
};
