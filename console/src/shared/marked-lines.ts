import { StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** Marks these lines, from 1, and no others. */
export const markLines = StateEffect.define<readonly number[]>();

const MARK = Decoration.line({ class: 'cm-wrongLine' });

/** Which lines of a code are marked; they stay so while other lines are written. */
export const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, { effects, changes, newDoc }) {
    const effect = effects.find((one) => one.is(markLines));
    return effect === undefined ? marked.map(changes) : marksOf(effect.value, newDoc);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf(lines: readonly number[], code: Text): DecorationSet {
  const there = lines.filter((line) => line >= 1 && line <= code.lines);
  return Decoration.set(
    there.map((line) => MARK.range(code.line(line).from)),
    true,
  );
}
