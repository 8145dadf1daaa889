import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { reasonOf, RefusedError } from './client-failure';

/** What the service returns; see `ConfigResultDto`. */
export interface ConfigResult {
  readonly changes: readonly {
    readonly action: string;
    readonly kind: string;
    readonly name: string;
    readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
    /** A service of an earlier version has none. */
    readonly warnings?: readonly { readonly path: string; readonly message: string }[];
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
  export(): Promise<string> {
    return this.send('GET', '/config/export?format=yaml');
  }

  async apply(document: unknown, options: { dryRun: boolean; prune: boolean }): Promise<ConfigResult> {
    const query = new URLSearchParams({ dryRun: String(options.dryRun), prune: String(options.prune) });
    return JSON.parse(await this.send('PUT', `/config?${query.toString()}`, document)) as ConfigResult;
  }

  async sources(): Promise<SourceSummary[]> {
    return JSON.parse(await this.send('GET', '/sources')) as SourceSummary[];
  }

  async trackingPlans(): Promise<TrackingPlanSummary[]> {
    return JSON.parse(await this.send('GET', '/tracking-plans')) as TrackingPlanSummary[];
  }

  async trackingPlan(id: string): Promise<unknown> {
    return JSON.parse(await this.send('GET', `/tracking-plans/${encodeURIComponent(id)}`));
  }

  async previewPlan(given: { plan: unknown; sourceId: string; last: number }): Promise<PlanPreview> {
    return JSON.parse(await this.send('POST', '/tracking-plans/preview', given)) as PlanPreview;
  }

  private async send(method: string, path: string, body?: unknown): Promise<string> {
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
    const text = await answer.text();
    if (!answer.ok) throw new RefusedError(url, answer.status, text);
    return text;
  }
}
