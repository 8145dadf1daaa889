import { type ConsolePage, viewOf } from '../console-page';

export const computedTraits: ConsolePage = {
  label: 'Computed traits',
  path: '/computed-traits',
  needs: 'read',
  views: {
    '/computed-traits': viewOf(async () => (await import('./computed-traits-page')).ComputedTraitsPage),
    '/computed-traits/new': viewOf(async () => (await import('./create-page')).CreatePage),
    '/computed-traits/:id': viewOf(async () => (await import('./computed-trait-page')).ComputedTraitPage),
    '/computed-traits/:id/edit': viewOf(async () => (await import('./edit-page')).EditPage),
  },
};
