import { type ClassConstructor, type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { InvalidRequestError, type ProblemDetail } from '../problems/problem';
import { joinPath, unknownField } from './problem-paths';

/**
 * An instance as class-transformer makes it. That leaves out members with the names of what every object has
 * (`constructor`, `toString`), or stumbles over them: here they stay where any JSON may be, and are unknown elsewhere.
 * `__proto__` is unknown everywhere: an assignment would change the prototype of what it is copied to.
 * @param given parsed JSON
 * @param path where it is in the request
 * @throws InvalidRequestError
 */
export function toInstance<T>(
  type: ClassConstructor<T>,
  given: unknown,
  options?: ClassTransformOptions,
  path = '',
): T {
  const instance = plainToInstance(type, withoutInherited(given), options);
  const unknown = putBack(given, instance, path);
  if (unknown.length > 0) throw new InvalidRequestError(unknown);
  return instance;
}

function withoutInherited(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(withoutInherited);
  if (!isContainer(given)) return given;
  const own = Object.entries(given).filter(([name]) => !isInherited(name));
  return Object.fromEntries(own.map(([name, member]) => [name, withoutInherited(member)]));
}

/** Returns what cannot be put back. */
function putBack(given: unknown, made: unknown, path: string): ProblemDetail[] {
  if (!isContainer(given) || !isContainer(made)) return [];
  const isAnyJson = Array.isArray(made) || Object.getPrototypeOf(made) === Object.prototype;
  return Object.entries(given).flatMap(([name, value]) => {
    const at = joinPath(path, name);
    if (!isInherited(name)) return putBack(value, made[name], at);
    if (!isAnyJson || name === '__proto__') return [unknownField(name, at)];
    Object.defineProperty(made, name, { value, configurable: true, enumerable: true, writable: true });
    return putBack(value, value, at);
  });
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
