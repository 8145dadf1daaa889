import { type ConsolePage, viewOf } from '../console-page';

export const transformations: ConsolePage = {
  label: 'Transformations',
  path: '/transformations',
  needs: 'read',
  views: {
    '/transformations': viewOf(async () => (await import('./transformations-page')).TransformationsPage),
    '/transformations/new': viewOf(async () => (await import('./create-page')).CreatePage),
    '/transformations/:id': viewOf(async () => (await import('./transformation-page')).TransformationPage),
    '/transformations/:id/edit': viewOf(async () => (await import('./edit-page')).EditPage),
    '/transformations/:id/versions': viewOf(async () => (await import('./versions-page')).VersionsPage),
    '/transformations/:id/versions/:version': viewOf(
      async () => (await import('./version-page')).VersionPage,
    ),
  },
};
