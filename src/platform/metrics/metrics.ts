import { Injectable } from '@nestjs/common';
import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';
import { measureProcess } from './process-metrics';

/** The prefix of every metric of the service, so that they sort together and collide with no others. */
const PREFIX = 'cdp_';

type Described<Configuration> = Omit<Configuration, 'registers'>;

/**
 * The metrics of this process, one registry per service. Names are given without the prefix `cdp_` and end with
 * their unit (`_total`, `_seconds`, `_bytes`); labels must come from small closed sets, never from customers' data.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;
  private reading: Promise<string> | undefined;
  private ofProcess: Promise<void> | undefined;

  /** Adds labels to every sample of this process. */
  labelAll(labels: Readonly<Record<string, string>>): void {
    this.registry.setDefaultLabels(labels);
  }

  counter<Label extends string = never>(
    configuration: Described<CounterConfiguration<Label>>,
  ): Counter<Label> {
    return new Counter(this.registered(configuration));
  }

  /** A `collect` function in the configuration is called at each scrape. */
  gauge<Label extends string = never>(configuration: Described<GaugeConfiguration<Label>>): Gauge<Label> {
    return new Gauge(this.registered(configuration));
  }

  histogram<Label extends string = never>(
    configuration: Described<HistogramConfiguration<Label>>,
  ): Histogram<Label> {
    return new Histogram(this.registered(configuration));
  }

  /** Everything, in Prometheus' text format. Read once for callers at the same time, since it asks PostgreSQL. */
  text(): Promise<string> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<string> {
    await (this.ofProcess ??= measureProcess(this.registry));
    return this.registry.metrics();
  }

  private registered<Configuration extends { name: string }>(
    configuration: Configuration,
  ): Configuration & { registers: Registry[] } {
    return { ...configuration, name: `${PREFIX}${configuration.name}`, registers: [this.registry] };
  }
}
