import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import type { CodeEditorProps } from '../CodeEditor.tsx'
import { useHeightBelow } from '../use-height-below.ts'
import { type Editor, openEditor } from './editor.ts'
import classes from '../CodeEditor.module.css'

const none: readonly never[] = []

/** The editor itself; `CodeEditor` loads it. */
export function CodeArea({
  value,
  onChange,
  label,
  language = 'plain',
  diagnostics = none,
  readOnly = false,
  goTo,
  fillsPage = false,
}: CodeEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const describedBy = useId()
  useHeightBelow(box, fillsPage)
  const tell = useEffectEvent(onChange)
  const open = useEffectEvent(() =>
    openEditor(box.current as HTMLElement, { text: value, label, describedBy, onChange: tell }),
  )
  useEffect(() => {
    const opened = open()
    editor.current = opened
    return () => opened.close()
  }, [])
  useEffect(() => editor.current?.setText(value), [value])
  useEffect(() => editor.current?.setLanguage(language), [language])
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly])
  useEffect(() => editor.current?.showMessages(diagnostics), [diagnostics])
  useEffect(() => {
    if (goTo) editor.current?.goToLine(goTo.line)
  }, [goTo])
  return (
    <>
      <div ref={box} className={classes.area} {...(fillsPage && { 'data-fills': true })} />
      <Text id={describedBy} size="xs" c="dimmed" mt={4}>
        {readOnly ? 'Read only. ' : ''}Ctrl+F searches. Escape, then Tab, leaves the editor.
      </Text>
    </>
  )
}
