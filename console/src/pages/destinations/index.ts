import { type ConsolePage, viewOf } from '../console-page';

export const destinations: ConsolePage = {
  label: 'Destinations',
  path: '/destinations',
  needs: 'read',
  views: {
    '/destinations': viewOf(async () => (await import('./destinations-page')).DestinationsPage),
    '/destinations/new': viewOf(async () => (await import('./create-page')).CreatePage),
    '/destinations/:id': viewOf(async () => (await import('./destination-page')).DestinationPage),
    '/destinations/:id/deliveries': viewOf(async () => (await import('./deliveries-page')).DeliveriesPage),
    '/destinations/:id/deliveries/:deliveryId': viewOf(
      async () => (await import('./delivery-page')).DeliveryPage,
    ),
    '/destinations/:id/settings': viewOf(async () => (await import('./settings-page')).SettingsPage),
    '/destinations/:id/dead-letters': viewOf(
      async () => (await import('./dead-letters-page')).DeadLettersPage,
    ),
  },
};
