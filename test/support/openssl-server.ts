import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';

const FOLDER = join(__dirname, '../fixtures/tls');

/** A server that lets nobody in, and says why in words of TLS: it knows none of the authorities of clients. */
export class OpensslServer {
  private constructor(
    private readonly server: ChildProcess,
    readonly url: string,
  ) {}

  /** @param version `-tls1_2` or `-tls1_3` */
  static async start(version: string): Promise<OpensslServer> {
    const port = await freePort();
    const files = ['-cert', 'receiver.crt', '-key', 'receiver.key', '-CAfile', 'localhost.crt'];
    const strict = ['-Verify', '1', '-verify_return_error', '-www', '-quiet'];
    const server = spawn('openssl', ['s_server', '-accept', `${port}`, version, ...files, ...strict], {
      cwd: FOLDER,
      stdio: 'ignore',
    });
    await eventually(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    });
    return new OpensslServer(server, `https://localhost:${port}`);
  }

  async stop(): Promise<void> {
    const ended = once(this.server, 'exit');
    this.server.kill();
    await ended;
  }
}
