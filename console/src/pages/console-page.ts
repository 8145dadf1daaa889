import { type ComponentType, lazy } from 'react';
import type { Scope } from '../api/me';

/** A page as the console knows it: an entry of the navigation, and the views behind it. */
export interface ConsolePage {
  readonly label: string;
  /** Where the entry leads, and what all its addresses begin with. */
  readonly path: string;
  /** Without this scope there is no entry. */
  readonly needs: Scope;
  /** What is shown at which address, such as `/sources/:id`. */
  readonly views: Readonly<Record<string, ComponentType>>;
}

/** A view whose code is loaded when somebody goes there. */
export function viewOf(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}
