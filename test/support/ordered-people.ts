/** An event as a client sends it. */
export interface PersonEvent {
  readonly type: string;
  readonly event?: string;
  readonly messageId: string;
  readonly timestamp: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly properties?: { readonly key: string };
}

/** Whose an event was when it was sent: a visitor's, a user's who nobody knew to be the visitor, or those of both. */
type Side = 'visitor' | 'user' | 'both';

interface Known {
  readonly key: string;
  readonly side: Side;
  isSent: boolean;
  hasArrived: boolean;
}

/** What a round may say of one person before it tells who the visitor is. */
const SENT_APART = 8;
const MAX_REQUEST = 3;

/** A person who is a visitor and a user at the same time, until an identify says that the two are one. */
export class OrderedPerson {
  readonly events: Known[] = [];
  private requests = 0;

  constructor(private readonly name: string) {}

  /** How many of its events have not arrived. */
  get waiting(): number {
    return this.events.filter(({ hasArrived }) => !hasArrived).length;
  }

  /** The next request: its events come behind all of the requests before. */
  next(): PersonEvent[] {
    this.requests += 1;
    const count = 1 + Math.floor(Math.random() * MAX_REQUEST);
    const isTold = this.requests === SENT_APART;
    const events = Array.from({ length: count }, () => this.make(this.sideNow()));
    return isTold ? [this.identify(), ...events] : events;
  }

  private sideNow(): Side {
    if (this.requests >= SENT_APART) return 'both';
    return Math.random() < 0.5 ? 'visitor' : 'user';
  }

  private identify(): PersonEvent {
    const ids = { userId: `u-${this.name}`, anonymousId: `a-${this.name}` };
    return { type: 'identify', messageId: `${this.name}-who`, timestamp: new Date().toISOString(), ...ids };
  }

  private make(side: Side): PersonEvent {
    const key = `${this.name}:${this.events.length}`;
    this.events.push({ key, side, isSent: false, hasArrived: false });
    const isVisitor = side === 'visitor' || (side === 'both' && Math.random() < 0.3);
    return {
      type: 'track',
      event: 'Step',
      messageId: key,
      timestamp: new Date().toISOString(),
      ...(isVisitor ? { anonymousId: `a-${this.name}` } : { userId: `u-${this.name}` }),
      properties: { key },
    };
  }
}

/** People who do things in an order, and what a receiver saw of it. */
export class OrderedPeople {
  readonly all: readonly OrderedPerson[];
  readonly violations: string[] = [];
  private readonly byName: ReadonlyMap<string, OrderedPerson>;

  constructor(count: number, suffix: string) {
    const names = Array.from({ length: count }, (_, n) => `${n}-${suffix}`);
    this.byName = new Map(names.map((name) => [name, new OrderedPerson(name)]));
    this.all = [...this.byName.values()];
  }

  get count(): number {
    return this.all.reduce((sum, { events }) => sum + events.length, 0);
  }

  /** A request came. For the first time only once all that has to be before has arrived. */
  noteSent(key: string): void {
    const { event, before } = this.find(key);
    if (event.isSent) return;
    event.isSent = true;
    const late = before.filter(({ hasArrived, side }) => !hasArrived && areInOneOrder(side, event.side));
    if (late.length > 0)
      this.violations.push(`${key} came before ${late.map((other) => other.key).join(', ')}`);
  }

  noteArrived(key: string): void {
    this.find(key).event.hasArrived = true;
  }

  missing(): string[] {
    return this.all.flatMap(({ events }) =>
      events.filter(({ hasArrived }) => !hasArrived).map(({ key }) => key),
    );
  }

  private find(key: string): { event: Known; before: Known[] } {
    const [name = '', number] = key.split(':');
    const { events } = this.byName.get(name) ?? { events: [] };
    const event = events[Number(number)];
    if (event === undefined) throw new Error(`Nobody sent ${key}`);
    return { event, before: events.slice(0, Number(number)) };
  }
}

function areInOneOrder(a: Side, b: Side): boolean {
  return a === b || a === 'both' || b === 'both';
}
