import { Injectable, Logger } from '@nestjs/common';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { TerminalLines } from '../../platform/logging/terminal-lines';
import { DestinationHealth } from '../breaker/destination-health';
import { describeFailure, hostOf } from './describe-failure';
import type { DeliveryOutcome, NotDelivered } from '../ledger/recording/delivery-outcome';
import { timeUntil } from './time-until';

/**
 * Tells the developer at the terminal how deliveries go: each try that failed, and the first that arrived. Outside
 * development it says nothing.
 */
@Injectable()
export class DeliveryLines {
  private readonly logger = new Logger(DeliveryLines.name);
  private readonly failures: TerminalLines;
  private readonly arrivals: TerminalLines;
  /** Destinations that something was delivered to since the start. */
  private readonly reached = new Set<string>();

  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly health: DestinationHealth,
    private readonly config: Config,
  ) {
    this.failures = new TerminalLines((line) => this.logger.warn(line), config.development);
    this.arrivals = new TerminalLines((line) => this.logger.log(line), config.development);
  }

  /** Called once the outcome is recorded. */
  tell(outcome: DeliveryOutcome): void {
    if (!this.config.development) return;
    const destination = this.destinations.get(outcome.delivery.destinationId);
    if (destination === undefined) return;
    if (outcome.state === 'pending') this.failures.tell(() => this.failureLine(outcome, destination));
    if (outcome.state === 'delivered') this.tellFirst(outcome, destination);
  }

  private tellFirst({ status }: DeliveryOutcome, { id, name, config }: ActiveDestination): void {
    if (this.reached.has(id)) return;
    this.reached.add(id);
    const host = hostOf(config);
    const answer = host === undefined || status === undefined ? '' : `: ${host} answered ${status}`;
    this.arrivals.tell(() => `Delivered to ${name}, the first since the start${answer}`);
  }

  private failureLine(outcome: NotDelivered, { id, name, config }: ActiveDestination): string {
    return `Not delivered to ${name}: ${describeFailure(outcome, config)}; ${this.next(id, outcome)}`;
  }

  /** What comes next: while a destination is down nothing is sent to it but probes. */
  private next(destinationId: string, { waitMs }: DeliveryOutcome): string {
    if (!this.health.isOpen(destinationId)) return `the next try is ${timeUntil(waitMs)}`;
    const probeInMs = this.health.nextProbeInMs(destinationId);
    if (probeInMs === undefined) return 'it is down: all deliveries wait for a probe that works';
    return `it is down: all deliveries wait for a probe that works, the next is ${timeUntil(probeInMs)}`;
  }
}
