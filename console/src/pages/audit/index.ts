import { type ConsolePage, viewOf } from '../console-page';

export const audit: ConsolePage = {
  label: 'Audit',
  path: '/audit',
  needs: 'admin',
  views: { '/audit': viewOf(async () => (await import('./audit-page')).AuditPage) },
};
