import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useMantineStyleNonce } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { CodeEditorProps } from './code-editor';
import { codeColors, codeTheme } from './code-colors';
import { markLines, markedLines } from './marked-lines';
import { typeOver } from './type-over';

const NONE_WRONG: readonly number[] = [];

const EXTENSIONS = [
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  // Without the key Tab, which leads out of a field.
  keymap.of([...defaultKeymap, ...historyKeymap]),
  javascript(),
  syntaxHighlighting(codeColors),
  codeTheme,
  markedLines,
  typeOver,
];

/** The editor itself, of which React knows nothing. */
export function CodeMirror({
  label,
  initial,
  onChange,
  wrongLines = NONE_WRONG,
}: Omit<CodeEditorProps, 'description' | 'error'>): ReactNode {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const nonce = useMantineStyleNonce()?.() ?? '';
  const open = useEffectEvent((element: HTMLDivElement) => {
    const tell = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) tellChange(state.doc.toString());
    });
    const named = EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });
    const extensions = [EXTENSIONS, tell, named, EditorView.cspNonce.of(nonce)];
    return new EditorView({ parent: element, doc: initial, extensions });
  });
  const tellChange = useEffectEvent(onChange);
  useEffect(() => {
    if (parent.current === null) return undefined;
    const opened = open(parent.current);
    editor.current = opened;
    return () => opened.destroy();
  }, []);
  useEffect(() => {
    editor.current?.dispatch({ effects: markLines.of(wrongLines) });
  }, [wrongLines]);
  return <div ref={parent} />;
}
