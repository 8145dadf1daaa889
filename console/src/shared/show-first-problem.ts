const MARKED = '[aria-invalid="true"], [data-problem]';
const FIELD = 'input, select, textarea, button, [contenteditable="true"]';

/** Marks what holds the fields at fault, where something is wrong: a list of checkboxes, a group of fields. */
export function markOf(problem: string | undefined): { readonly 'data-problem'?: true } {
  return problem === undefined ? {} : { 'data-problem': true };
}

/** Brings the first field of a form that is marked into view, and the focus to it. */
export function showFirstProblem(form: Element | null | undefined): void {
  const marked = form?.querySelector<HTMLElement>(MARKED);
  if (!marked) return;
  marked.scrollIntoView({ block: 'center' });
  const field = marked.hasAttribute('data-problem') ? marked.querySelector<HTMLElement>(FIELD) : marked;
  field?.focus({ preventScroll: true });
}
