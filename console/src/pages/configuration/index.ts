import { type ConsolePage, viewOf } from '../console-page';

export const configuration: ConsolePage = {
  label: 'Configuration',
  path: '/configuration',
  needs: 'read',
  views: {
    '/configuration': viewOf(async () => (await import('./configuration-page')).ConfigurationPage),
  },
};
