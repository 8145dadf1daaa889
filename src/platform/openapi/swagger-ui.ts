/* What is added to Swagger UI. `swagger-ui-init.js` has these functions as text, so they use nothing from outside. */

/** The part of Swagger UI's requests and answers that is used here. */
interface UiRequest {
  url: string;
  readonly headers: Record<string, string>;
  body?: unknown;
}
interface UiAnswer {
  readonly ok: boolean;
  readonly status: number;
}
declare const window: { readonly ui: { readonly specActions: { updateSpec(text: string): void } } };
declare const document: { onclick: (event: { readonly target: Clickable }) => void };
interface Clickable {
  closest(selector: string): { readonly classList: { toggle(name: string): void } } | null;
}

/**
 * An id that stands for something that did not exist when the page was loaded becomes that of what exists now. And a
 * body that was changed is another request: its key of the example gets the hash of the body.
 */
async function requestInterceptor(request: UiRequest): Promise<UiRequest> {
  const standIn = /00000000-0000-7000-8000-0{10}[0-9a-f]{2}|write-key-of-a-source|message-of-an-event/;
  if (standIn.test(request.url + String(request.body))) {
    const answer = await fetch('/openapi.json');
    const existing = ((await answer.json()) as { 'x-existing-examples'?: [string, string][] })[
      'x-existing-examples'
    ];
    for (const [example, value] of existing ?? []) {
      request.url = request.url.replaceAll(example, encodeURIComponent(value));
      if (typeof request.body === 'string')
        request.body = request.body.replaceAll(`"${example}"`, JSON.stringify(value));
    }
  }
  if (request.headers['Idempotency-Key'] === 'example') {
    const text = typeof request.body === 'string' ? request.body : '';
    let hash = 7;
    for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) % 2 ** 31;
    request.headers['Idempotency-Key'] = `example-${hash}`;
  }
  return request;
}

/** After something was made the examples may name it: loads the document again. */
function responseInterceptor(answer: UiAnswer): UiAnswer {
  if (answer.status === 201 || answer.status === 202) {
    void fetch('/openapi.json')
      .then((response) => response.text())
      .then((text) => window.ui.specActions.updateSpec(text));
  }
  return answer;
}

/**
 * Errors are shown as a line each; a click on the status shows the example. Called again whenever the document is
 * loaded.
 */
function onComplete(): void {
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- one handler, however often this is called.
  document.onclick = ({ target }) => {
    const isStatus = target.closest('.response-col_status') !== null;
    if (isStatus) target.closest('tr.response')?.classList.toggle('unfolded');
  };
}

export const SWAGGER_UI_FUNCTIONS = { requestInterceptor, responseInterceptor, onComplete };

const ERROR = ['4', '5']
  .map(
    (digit) =>
      `.responses-table:not(.live-responses-table) tr.response[data-code^="${digit}"]:not(.unfolded)`,
  )
  .map((row) => `${row} .response-controls, ${row} .model-example, ${row} .response-control-examples`)
  .join(', ');

/** Folds the examples of errors. */
export const SWAGGER_UI_CSS = `
  ${ERROR} { display: none }
  .responses-table:not(.live-responses-table) tr.response .response-col_status { cursor: pointer }
`;
