import { type ConsolePage, viewOf } from '../console-page';

export const sources: ConsolePage = {
  label: 'Sources',
  path: '/sources',
  needs: 'read',
  views: {
    '/sources': viewOf(async () => (await import('./sources-page')).SourcesPage),
    '/sources/:id': viewOf(async () => (await import('./source-page')).SourcePage),
  },
};
