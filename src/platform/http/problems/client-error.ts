import type { Socket } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { problemTitle } from './problem-details';

/** What Node's HTTP parser refuses before there is a request: the status, and the stable code and words for it. */
const REFUSALS: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The address and the headers together are too long.'],
};
const BROKEN = [400, 'invalid_request', 'This is not valid HTTP.'] as const;

/** Answers what is not even a request, in the shape of every other error. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const [status, code, message] = REFUSALS[error.code ?? ''] ?? BROKEN;
    const title = problemTitle(status);
    const requestId = uuidv7();
    const type = `urn:cdp:problem:${code}`;
    const problem = {
      type,
      title,
      status,
      detail: message,
      instance: '',
      code,
      message,
      errors: [],
      requestId,
    };
    const body = JSON.stringify(problem);
    socket.write(
      // Whether a page asked, and which, is not known. This answer tells it nothing but its own mistake.
      `HTTP/1.1 ${status} ${title}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
        `Access-Control-Allow-Origin: *\r\n` +
        `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
}
