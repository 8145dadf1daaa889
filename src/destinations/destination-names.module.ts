import { Global, Injectable, Module } from '@nestjs/common';
import type { Tx } from '../platform/database/database';
import { DestinationNames } from '../segments/destination-names';
import { destinationsThatAsk } from './destinations-that-ask';
import { readDestinationNames } from './read-destination-names';

@Injectable()
class NamesOfDestinations extends DestinationNames {
  of(ids: readonly string[], tx: Tx): Promise<ReadonlyMap<string, string>> {
    return readDestinationNames(ids, tx);
  }

  thatAskAbout(segmentId: string, tx: Tx): Promise<string[]> {
    return destinationsThatAsk(segmentId, tx);
  }
}

/** Says to segments and computed traits which destinations ask about them. */
@Global()
@Module({
  providers: [{ provide: DestinationNames, useClass: NamesOfDestinations }],
  exports: [DestinationNames],
})
export class DestinationNamesModule {}
