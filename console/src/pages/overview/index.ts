import { type ConsolePage, viewOf } from '../console-page';

export const overview: ConsolePage = {
  label: 'Overview',
  path: '/overview',
  needs: 'read',
  views: { '/overview': viewOf(async () => (await import('./overview-page')).OverviewPage) },
};
