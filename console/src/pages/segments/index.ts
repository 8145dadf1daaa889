import { type ConsolePage, viewOf } from '../console-page';

export const segments: ConsolePage = {
  label: 'Segments',
  path: '/segments',
  needs: 'read',
  views: {
    '/segments': viewOf(async () => (await import('./segments-page')).SegmentsPage),
    '/segments/new': viewOf(async () => (await import('./create-page')).CreatePage),
    '/segments/:id': viewOf(async () => (await import('./segment-page')).SegmentPage),
    '/segments/:id/edit': viewOf(async () => (await import('./edit-page')).EditPage),
  },
};
