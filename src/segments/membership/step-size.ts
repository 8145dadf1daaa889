/**
 * How many people a step of this process looks at: half of those with whom one has failed, which may have been too many
 * for a statement, and twice as many after each that has not.
 */
export class StepSize {
  private size: number;

  constructor(private readonly most: number) {
    this.size = most;
  }

  get people(): number {
    return this.size;
  }

  /** @param people with whom the step has failed */
  noteFailure(people: number): void {
    this.size = Math.max(1, Math.floor(people / 2));
  }

  noteSuccess(): void {
    this.size = Math.min(this.most, this.size * 2);
  }
}
