import type { Config } from '../config/config';
import { NoTracing, type Tracing } from './tracing';

/** Tracing as the standard variables of OpenTelemetry say. Its packages are loaded only when they are needed. */
export async function openTracing(config: Config): Promise<Tracing> {
  if (!config.tracingEnabled) return new NoTracing();
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  return new OpenTelemetryTracing();
}
