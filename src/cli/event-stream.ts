/** One message of a stream of Server-Sent Events. */
export interface StreamMessage {
  readonly type: string;
  readonly data: string;
}

/** Reads Server-Sent Events as far as the service writes them: a line for each field, ended by `\n`. */
export class EventStream {
  /** The last id that was given: what to send as `Last-Event-ID` when the stream was cut off. */
  lastId: string | undefined;
  private decoder = new TextDecoder();
  private rest = '';

  /** From here on it is another connection: what was cut off comes again. */
  reconnect(): void {
    this.decoder = new TextDecoder();
    this.rest = '';
  }

  /** The messages that are complete with this chunk. Comments are none. */
  readMessages(chunk: Uint8Array): StreamMessage[] {
    const blocks = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => this.read(block));
  }

  private read(block: string): StreamMessage[] {
    const fields = new Map(
      block.split('\n').map((line): [string, string] => {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        return [name, value];
      }),
    );
    this.lastId = fields.get('id') ?? this.lastId;
    const data = fields.get('data');
    return data === undefined ? [] : [{ type: fields.get('event') ?? 'message', data }];
  }
}
