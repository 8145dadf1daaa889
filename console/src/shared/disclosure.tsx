import { type ReactNode, useState } from 'react';
import classes from './disclosure.module.css';

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly children: ReactNode;
}

/** What is shown, and asked for, when somebody opens it. */
export function Disclosure({ summary, children }: DisclosureProps): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={classes.summary}>{summary}</summary>
      {opened && children}
    </details>
  );
}
