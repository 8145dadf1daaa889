import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';

/** The forms in which something is written that is not saved. */
const forms = new Set<object>();

export function isSomethingUnsaved(): boolean {
  return forms.size > 0;
}

/** To be called where it is known to be lost, or needed no longer. */
export function forgetUnsaved(): void {
  forms.clear();
}

/**
 * As long as what is written is not what is saved, the page is not left before somebody was asked, whether by a link or
 * with its tab.
 * @param written JSON
 * @param saved what the form began with, unless it is another by now
 */
export function useUnsaved(written: unknown, saved?: unknown): void {
  const [first] = useState(written);
  const isUnsaved = JSON.stringify(written) !== JSON.stringify(saved ?? first);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    forms.add(ask);
    addEventListener('beforeunload', ask);
    return () => {
      forms.delete(ask);
      removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
}

/** Goes where one comes to when all is saved or deleted: nothing is to be asked. */
export function useGoOn(): (path: string) => void {
  const [, goTo] = useLocation();
  return (path) => {
    forgetUnsaved();
    goTo(path);
  };
}
