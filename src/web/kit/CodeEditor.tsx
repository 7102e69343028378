import { Box } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Language } from './code/language-of-file.ts'
import { Loading } from './states.tsx'
import classes from './CodeEditor.module.css'

/** Something that a checker says of a line, counted from 1. */
export interface LineMessage {
  readonly line: number
  readonly message: string
}

export interface CodeEditorProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** What the text is, for assistive technology. */
  readonly label: string
  /** `languageOfFile` names the one of a file. */
  readonly language?: Language
  readonly diagnostics?: readonly LineMessage[]
  readonly readOnly?: boolean
  /** Shows this line and puts the cursor there, each time another object is given. */
  readonly goTo?: { readonly line: number } | undefined
}

const CodeArea = lazy(() =>
  import('./code/CodeArea.tsx').then(({ CodeArea: default_ }) => ({ default: default_ })),
)

/** An editor for text that programs read, loaded when it is first shown. Line ends stay as they are in the text. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Box className={classes.frame}>
      <Suspense fallback={<Loading rows={6} />}>
        <CodeArea {...props} />
      </Suspense>
    </Box>
  )
}
