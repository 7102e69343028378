import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { look } from './look.ts'
import { typingOver } from './typing-over.ts'

interface Wanted {
  readonly text: string
  readonly label: string
  readonly describedBy: string
  readonly onChange: (text: string) => void
}

/** The extensions of every editor in the panel. Tab indents; Escape and then Tab leaves the editor. */
export function extensionsFor({ text, label, describedBy, onChange }: Wanted): Extension[] {
  return [
    EditorView.cspNonce.of(document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''),
    EditorState.lineSeparator.of(separatorOf(text)),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      autocapitalize: 'off',
      tabindex: '0',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.sliceDoc())
    }),
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of(unitOf(text)),
    bracketMatching(),
    closeBrackets(),
    typingOver(),
    search({ top: true }),
    keymap.of([...closeBracketsKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    look,
  ]
}

/**
 * CRLF is kept only if every line of the text ends in it; a lone carriage return is an ordinary character.
 */
function separatorOf(text: string): string {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text) ? '\r\n' : '\n'
}

/** Detects the indentation of a text. */
function unitOf(text: string): string {
  return /^(?:\t| {2,8})(?=\S)/m.exec(text)?.[0] ?? '  '
}
