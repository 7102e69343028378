import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Types over a selection by a transaction. If the page itself replaced it, Chromium would carry the colour of the replaced token over in an
 * inline style, which the content policy forbids.
 */
export function typingOver(): Extension {
  return EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { main, ranges } = view.state.selection
      const isPlain = event.inputType === 'insertText' && !event.isComposing && !view.composing
      if (!isPlain || !event.data || main.empty || ranges.length > 1 || view.state.readOnly) return false
      typeText(view, event.data)
      event.preventDefault()
      return true
    },
  })
}

// The handlers that see other typed text must see this too: a bracket encloses the selection.
function typeText(view: EditorView, text: string): void {
  const { from, to } = view.state.selection.main
  const insert = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
  const handlers = view.state.facet(EditorView.inputHandler)
  if (!handlers.some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert())
}
