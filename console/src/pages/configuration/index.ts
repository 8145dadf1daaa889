import { type ConsolePage, viewOf } from '../console-page';

export const settings: ConsolePage = {
  label: 'Settings',
  path: '/settings',
  needs: 'read',
  views: { '/settings': viewOf(async () => (await import('./settings-page')).SettingsPage) },
};
