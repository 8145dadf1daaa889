import { type ConsolePage, viewOf } from '../console-page';

export const trackingPlans: ConsolePage = {
  label: 'Tracking plans',
  path: '/tracking-plans',
  needs: 'read',
  views: {
    '/tracking-plans': viewOf(async () => (await import('./plans-page')).PlansPage),
    '/tracking-plans/new': viewOf(async () => (await import('./create-page')).CreatePage),
    '/tracking-plans/:id': viewOf(async () => (await import('./plan-page')).PlanPage),
    '/tracking-plans/:id/edit': viewOf(async () => (await import('./edit-page')).EditPage),
    '/tracking-plans/:id/versions': viewOf(async () => (await import('./versions-page')).VersionsPage),
    '/tracking-plans/:id/versions/:version': viewOf(async () => (await import('./version-page')).VersionPage),
  },
};
