import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Each has a contrast of at least 4.5 with what it stands on, in light and in dark. */
export const codeColors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'light-dark(#862e9c, #e599f7)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'light-dark(#1c6b2a, #8ce99a)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#9c3d00, #ffc078)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  {
    tag: [tags.function(tags.variableName), tags.definition(tags.propertyName)],
    color: 'light-dark(#0b5394, #74c0fc)',
  },
]);

/** The editor, as the other fields look. */
export const codeTheme = EditorView.theme({
  '&': {
    marginTop: 'calc(var(--mantine-spacing-xs) / 2)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-default)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    fontSize: 'var(--mantine-font-size-sm)',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    minHeight: '16rem',
    maxHeight: '70vh',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-dimmed)',
    border: 'none',
  },
  '.cm-wrongLine': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-error) 15%, transparent)',
    boxShadow: 'inset 3px 0 var(--mantine-color-error)',
  },
});
