import type { InputProblems } from '../platform/http/input/input-problems';

/** An entry names what is not there. @param thing such as `tracking plan` */
export function failUnknown(problems: InputProblems, path: string, thing: string, name: string): void {
  const message = `There is no ${thing} "${name}", here or in the document.`;
  problems.fail(path, `unknown_${thing.replaceAll(' ', '_')}`, message);
}
