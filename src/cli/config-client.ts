import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { messageOf, reasonOf } from './client-failure';

/** What the service returns; see `ConfigResultDto`. */
export interface ConfigResult {
  readonly changes: readonly {
    readonly action: string;
    readonly kind: string;
    readonly name: string;
    readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
    readonly applied: boolean;
  }[];
}

/** Reads and changes the configuration of a service. Every failure is a `BootError` with what the service said. */
export class ConfigClient {
  constructor(private readonly environment: ClientEnvironment) {}

  /** As YAML. */
  export(): Promise<string> {
    return this.send('GET', '/config/export?format=yaml');
  }

  async apply(document: unknown, options: { dryRun: boolean; prune: boolean }): Promise<ConfigResult> {
    const query = new URLSearchParams({ dryRun: String(options.dryRun), prune: String(options.prune) });
    const answer = await this.send('PUT', `/config?${query.toString()}`, JSON.stringify(document));
    return JSON.parse(answer) as ConfigResult;
  }

  private async send(method: string, path: string, body?: string): Promise<string> {
    const { url, token } = this.environment;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${url}${path}`, { method, headers, body }).catch((error: unknown) => {
      throw new BootError(`${url} cannot be reached: ${reasonOf(error)}`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new BootError(`${url} answered ${answer.status}: ${messageOf(text)}`);
    return text;
  }
}
