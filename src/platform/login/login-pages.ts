import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type ProblemAnswer, problemTitle } from '../http/problems/problem-details';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 10vh auto; padding: 0 1rem; color: #1c2530 }
h1 { font-size: 1.4rem }
#token { width: 100%; padding: .5rem; font: 13px monospace; box-sizing: border-box }
button, .button { display: inline-block; font: inherit; padding: .5rem 1rem; margin-top: .75rem; border: 0;
  border-radius: .3rem; background: #1f4fd8; color: #fff; text-decoration: none; cursor: pointer }
.problem { background: #fdecea; padding: .5rem .75rem; border-radius: .3rem }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** What the form says beside itself. */
interface TokenFormWords {
  /** What prints a token; undefined where only the identity provider has some. */
  readonly command: string | undefined;
  /** Why the last one did not do. */
  readonly problem?: string;
}

/** The form that takes a token, where no identity provider is set up for the browser. */
export function sendTokenForm(
  reply: FastifyReply,
  returnPath: string,
  { command, problem }: TokenFormWords,
): void {
  const printed =
    command === undefined ? '' : `, as <code>${escapeHtml(command)}</code> prints one where the service runs`;
  sendPage(
    reply,
    'Log in',
    `${problemBox(problem)}
    <form method="post" action="/login">
      <label for="token">A token of the Management API${printed}</label>
      <input type="hidden" name="to" value="${escapeHtml(returnPath)}">
      <input id="token" name="token" required autofocus spellcheck="false" autocomplete="off">
      <button>Log in</button>
    </form>`,
  );
}

/** The page that leads to the identity provider. */
export function sendProviderPage(reply: FastifyReply, returnPath: string, problem?: string): void {
  const start = `/login/start?${new URLSearchParams({ to: returnPath }).toString()}`;
  sendPage(
    reply,
    'Log in',
    `${problemBox(problem)}<a class="button" href="${escapeHtml(start)}">Log in with your identity provider</a>`,
  );
}

/**
 * The page behind a login. A redirect would still count as coming from the provider's site, so that the browser
 * would keep the strict session cookie back; a page of ours that moves on does not.
 */
export function sendLoggedInPage(reply: FastifyReply, returnPath: string): void {
  void reply.header('refresh', `0; url=${returnPath}`);
  sendPage(reply, 'Logged in', `<p><a href="${escapeHtml(returnPath)}">Go on</a></p>`);
}

/** What a browser is shown in place of a page that whoever logged in may not see, or that is not there now. */
export function sendProblemPage(reply: FastifyReply, { status, headers, message }: ProblemAnswer): void {
  void reply.status(status).headers(headers);
  sendPage(
    reply,
    problemTitle(status),
    `${problemBox(message)}
    <p><a href="/console">Console</a> · <a href="/logout">Log in as somebody else</a></p>`,
  );
}

function sendPage(reply: FastifyReply, title: string, content: string): void {
  void reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      `default-src 'none'; img-src 'self'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head>` +
        `<body><h1>${title}</h1>${content}</body></html>`,
    );
}

function problemBox(problem: string | undefined): string {
  return problem === undefined ? '' : `<p class="problem">${escapeHtml(problem)}</p>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
