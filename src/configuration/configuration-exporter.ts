import { Injectable } from '@nestjs/common';
import { ConnectorRegistry } from '../connectors/registry';
import { ConfigurationReader, versionOf } from './configuration-reader';
import { demandUnambiguous } from './demand-unambiguous';
import { exportDocument } from './export-document';

/** Says what is configured. */
@Injectable()
export class ConfigurationExporter {
  constructor(
    private readonly reader: ConfigurationReader,
    private readonly connectors: ConnectorRegistry,
  ) {}

  /** The document that says what is configured. @throws AmbiguousNameError */
  async export(): Promise<{ readonly version: string; readonly document: object }> {
    const configuration = await this.reader.read();
    demandUnambiguous(configuration, configuration);
    return { version: versionOf(configuration), document: exportDocument(configuration, this.connectors) };
  }
}
