import { Box } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Language } from './code/language-of-file.ts'
import { Loading } from './states.tsx'
import classes from './CodeEditor.module.css'

/** A message of a checker about a line, counted from 1. */
export interface LineMessage {
  readonly line: number
  readonly message: string
}

export interface CodeEditorProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The accessible name of the editor. */
  readonly label: string
  /** The language, as returned by `languageOfFile`. */
  readonly language?: Language
  readonly diagnostics?: readonly LineMessage[]
  readonly readOnly?: boolean
  /** Scrolls to this line and moves the cursor there whenever the object changes. */
  readonly goTo?: { readonly line: number } | undefined
  /** Takes the height that is left on the page. */
  readonly fillsPage?: boolean
}

const CodeArea = lazy(() =>
  import('./code/CodeArea.tsx').then(({ CodeArea: default_ }) => ({ default: default_ })),
)

/** A code editor, loaded when it is first shown; it keeps the line endings of the text. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Box className={classes.frame}>
      <Suspense fallback={<Loading rows={6} />}>
        <CodeArea {...props} />
      </Suspense>
    </Box>
  )
}
