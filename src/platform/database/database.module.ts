import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Lookout } from '../background/lookout';
import { Config } from '../config/config';
import { ClockWatch } from './connections/clock-watch';
import { dataSourceOptions } from './connections/data-source';
import { Database } from './database';
import { ReplicaDatabase } from './replica-database';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.databaseUrl),
        autoLoadEntities: true,
        retryAttempts: 1, // The migrations have just used it: what fails now is no matter of patience.
      }),
    }),
  ],
  providers: [Database, ReplicaDatabase, ClockWatch, Lookout],
  exports: [Database, ReplicaDatabase, Lookout],
})
export class DatabaseModule {}
