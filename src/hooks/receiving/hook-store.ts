import { Injectable } from '@nestjs/common';
import { OverloadedError, StoreUnavailableError } from '../../ingestion/ingestion-problems';
import { Database } from '../../platform/database/database';
import { mayPass } from '../../platform/database/failure';
import { HookBacklogError } from '../hook-problems';
import { keepHookRequest, type NewHookRequest } from '../requests/keep-hook-request';

/** Of requests that wait for their commit. */
const MAX_CHARACTERS_IN_FLIGHT = 16 * 1024 * 1024;

/** Puts requests on disk, without letting more of them wait for that than memory should hold. */
@Injectable()
export class HookStore {
  private charactersInFlight = 0;

  constructor(private readonly database: Database) {}

  /** Resolves once it is on disk. @throws OverloadedError, HookBacklogError, StoreUnavailableError */
  async keep(request: NewHookRequest): Promise<void> {
    const { length } = request.request;
    if (this.charactersInFlight > 0 && this.charactersInFlight + length > MAX_CHARACTERS_IN_FLIGHT) {
      throw new OverloadedError();
    }
    this.charactersInFlight += length;
    try {
      if (!(await keepHookRequest(request, this.database))) throw new HookBacklogError();
    } catch (error) {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    } finally {
      this.charactersInFlight -= length;
    }
  }
}
