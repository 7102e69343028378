import { Compartment, EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { LineMessage } from '../CodeEditor.tsx'
import { extensionsFor } from './extensions.ts'
import type { Language } from './language-of-file.ts'
import { loadLanguage } from './languages.ts'
import { goToLine, markedLines, showMessages } from './messages.ts'

interface EditorOptions {
  readonly text: string
  readonly label: string
  readonly describedBy: string
  readonly onChange: (text: string) => void
}

/** An editor in the page. */
export interface Editor {
  /** Replaces the text unless it is unchanged. */
  setText(text: string): void
  setLanguage(language: Language): void
  setReadOnly(isReadOnly: boolean): void
  showMessages(messages: readonly LineMessage[]): void
  goToLine(line: number): void
  close(): void
}

/** Mounts an editor in an element. */
export function openEditor(parent: HTMLElement, { text, onChange, ...options }: EditorOptions): Editor {
  const language = new Compartment()
  const writing = new Compartment()
  let present = text
  let isReadOnly = false
  let languageName: Language = 'plain'
  const told = (next: string) => onChange((present = next))
  const stateOf = () =>
    EditorState.create({
      doc: present,
      extensions: [
        extensionsFor({ text: present, onChange: told, ...options }),
        language.of([]),
        writing.of(EditorState.readOnly.of(isReadOnly)),
        markedLines,
      ],
    })
  const view = new EditorView({ state: stateOf(), parent })
  const setLanguage = (name: Language) => {
    languageName = name
    void loadLanguage(name).then((extension) => {
      if (languageName === name) view.dispatch({ effects: language.reconfigure(extension) })
    })
  }
  return {
    setText: (next) => {
      if (next === present) return
      present = next
      view.setState(stateOf())
      setLanguage(languageName)
    },
    setLanguage,
    setReadOnly: (next) => {
      isReadOnly = next
      view.dispatch({ effects: writing.reconfigure(EditorState.readOnly.of(next)) })
    },
    showMessages: (messages) => showMessages(view, messages),
    goToLine: (line) => goToLine(view, line),
    close: () => view.destroy(),
  }
}
