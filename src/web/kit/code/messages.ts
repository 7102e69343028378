import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import type { LineMessage } from '../CodeEditor.tsx'

const setMarked = StateEffect.define<readonly number[]>()
const marking = Decoration.line({ class: 'cm-lineWithMessage' })

/** Keeps the background of the lines that a checker reports. */
export const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const effect = transaction.effects.find((each) => each.is(setMarked))
    if (effect === undefined) return marks.map(transaction.changes)
    const builder = new RangeSetBuilder<Decoration>()
    for (const from of effect.value) builder.add(from, from, marking)
    return builder.finish()
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows the messages of a checker at the lines that they name. */
export function showMessages(view: EditorView, messages: readonly LineMessage[]): void {
  const { doc } = view.state
  const known = messages
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .toSorted((one, other) => one.line - other.line)
  const starts = [...new Set(known.map(({ line }) => doc.line(line).from))]
  const diagnostics = known.map(({ line, message }): Diagnostic => {
    const { from, to } = doc.line(line)
    return { from, to, message, severity: 'error' }
  })
  view.dispatch(setDiagnostics(view.state, diagnostics))
  view.dispatch({ effects: setMarked.of(starts) })
}

/** Moves the cursor to the start of a line and scrolls it into view. */
export function goToLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  view.focus()
}
