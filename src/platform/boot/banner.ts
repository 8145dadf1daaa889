import { Logger } from '@nestjs/common';
import { tokenCommand } from '../auth/token-command';
import type { Config } from '../config/config';
import { DEFAULT_SCHEMA } from '../database/connections/schema';

/** The port that a URL leaves out. */
const HTTP_PORT = '80';

/**
 * Prints the addresses of the service once it listens.
 * @param url to click on, so never 0.0.0.0
 */
export function announce(config: Config, url: string, startedInMs: number): void {
  if (config.log.format === 'json') {
    new Logger('Service').log('Listening', {
      host: config.http.host,
      port: portOf(url),
      roles: config.roles,
      processes: config.processes,
      startedInMs,
    });
  } else {
    process.stdout.write(bannerText(config, url, startedInMs));
  }
}

function bannerText(config: Config, url: string, startedInMs: number): string {
  const lines: [string, string][] = [];
  if (config.hasRole('management')) lines.push(['Console', `${url}/console`]);
  if (config.hasRole('events')) lines.push(['Events API', `${url}/v1/batch`]);
  if (config.hasRole('management')) {
    if (config.management.hasSwagger) lines.push(['Swagger UI', `${url}/docs`]);
    lines.push(['Bull Board', `${url}/queues`]);
    const command = tokenCommand(config);
    if (command !== undefined) lines.push(['A token', command]);
  }
  lines.push(
    ['Store', storeName(config)],
    ['Queue', config.queue.redisUrl === undefined ? 'PostgreSQL' : 'Redis'],
  );
  const { host } = config.http;
  if (new URL(url).hostname !== host) lines.push(['Listens on', `${host}, port ${portOf(url)}`]);
  if (config.processes > 1) lines.push(['Processes', String(config.processes)]);
  const width = Math.max(...lines.map(([label]) => label.length));
  const body = lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n');
  return `\nThe customer data platform is ready (${(startedInMs / 1000).toFixed(1)} s)\n\n${body}\n\n`;
}

function portOf(url: string): number {
  return Number(new URL(url).port || HTTP_PORT);
}

function storeName(config: Config): string {
  const { schema } = config.database;
  const database = config.embeddedDatabase
    ? `embedded PostgreSQL in ${config.dataDir}`
    : 'PostgreSQL at CDP_DATABASE_URL';
  return schema === DEFAULT_SCHEMA ? database : `${database}, schema ${schema}`;
}
