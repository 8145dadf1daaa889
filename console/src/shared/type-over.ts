import { EditorView } from '@codemirror/view';

/**
 * Puts in what is typed over a selection. Browsers would keep the colour of what was there in an inline style, which
 * the Content-Security-Policy refuses.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput({ inputType, isComposing, data }, view) {
    if (inputType !== 'insertText' || isComposing || data === null) return false;
    if (view.state.selection.main.empty) return false;
    const typed = { userEvent: 'input.type', scrollIntoView: true };
    view.dispatch(view.state.update(view.state.replaceSelection(data), typed));
    return true;
  },
});
