import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { demandType, reasonOf, RefusedError } from './client-failure';

/** What the service returns; see `ConfigResultDto`. */
export interface ConfigResult {
  readonly changes: readonly {
    readonly action: string;
    readonly kind: string;
    readonly name: string;
    readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
    readonly warnings: readonly { readonly path: string; readonly message: string }[];
    readonly applied: boolean;
  }[];
}

/** As far as the command looks at it; see `SourceDto`. */
export interface SourceSummary {
  readonly id: string;
  readonly name: string;
  readonly trackingPlanId: string | null;
}

/** See `TrackingPlanSummaryDto`. */
export interface TrackingPlanSummary {
  readonly id: string;
  readonly name: string;
}

export type TrialOutcome = 'pass' | 'observe' | 'omit' | 'quarantine' | 'block';

/** What a plan would have done to stored events; see `PlanPreviewDto`. */
export interface PlanPreview {
  readonly events: number;
  readonly complete: boolean;
  readonly outcomes: Readonly<Record<TrialOutcome, number>>;
  readonly violations: readonly {
    readonly rule: string;
    readonly path: string;
    readonly code: string;
    readonly message: string;
    readonly events: number;
    readonly outcomes: Readonly<Partial<Record<TrialOutcome, number>>>;
    readonly examples: readonly {
      readonly eventId: string;
      readonly messageId: string;
      readonly receivedAt: string;
      readonly outcome: TrialOutcome;
      readonly path: string;
    }[];
  }[];
}

/** Talks to the Management API of a service. Every failure is a `BootError` with what the service said. */
export class ManagementClient {
  constructor(private readonly environment: ClientEnvironment) {}

  /** The configuration, as YAML. */
  async export(): Promise<string> {
    const answer = await this.send('GET', '/config/export?format=yaml');
    demandType('application/yaml', answer);
    return answer.text();
  }

  apply(document: unknown, options: { dryRun: boolean; prune: boolean }): Promise<ConfigResult> {
    const query = new URLSearchParams({ dryRun: String(options.dryRun), prune: String(options.prune) });
    return this.ask('PUT', `/config?${query.toString()}`, document);
  }

  sources(): Promise<SourceSummary[]> {
    return this.ask('GET', '/sources');
  }

  trackingPlans(): Promise<TrackingPlanSummary[]> {
    return this.ask('GET', '/tracking-plans');
  }

  trackingPlan(id: string): Promise<unknown> {
    return this.ask('GET', `/tracking-plans/${encodeURIComponent(id)}`);
  }

  previewPlan(given: { plan: unknown; sourceId: string; last: number }): Promise<PlanPreview> {
    return this.ask('POST', '/tracking-plans/preview', given);
  }

  private async ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, path, body);
    demandType('application/json', answer);
    return (await answer.json()) as Answer;
  }

  private async send(method: string, path: string, body?: unknown): Promise<Response> {
    const { url, token } = this.environment;
    const isGiven = body !== undefined;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(isGiven ? { 'content-type': 'application/json' } : {}),
    };
    const request = { method, headers, body: isGiven ? JSON.stringify(body) : undefined };
    const answer = await fetch(`${url}${path}`, request).catch((error: unknown) => {
      throw new BootError(`${url} cannot be reached: ${reasonOf(error)}`);
    });
    if (!answer.ok) throw new RefusedError(url, answer.status, await answer.text());
    return answer;
  }
}
