import { Global, Injectable, Module } from '@nestjs/common';
import type { Tx } from '../platform/database/database';
import { DestinationNames } from '../segments/destination-names';
import { DestinationsOfSource } from '../sources/destinations-of-source';
import { destinationsOfSource, destinationsThatAsk } from './destinations-that-ask';
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

@Injectable()
class NamingDestinations extends DestinationsOfSource {
  naming(sourceId: string, tx: Tx): Promise<string[]> {
    return destinationsOfSource(sourceId, tx);
  }
}

/** Says to sources, segments and computed traits which destinations ask about them. */
@Global()
@Module({
  providers: [
    { provide: DestinationNames, useClass: NamesOfDestinations },
    { provide: DestinationsOfSource, useClass: NamingDestinations },
  ],
  exports: [DestinationNames, DestinationsOfSource],
})
export class DestinationNamesModule {}
