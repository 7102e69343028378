import { Button, Group, TextInput } from '@mantine/core'
import { useId } from 'react'
import type { Field } from '../model.ts'
import { useClearEntries, useEntries } from './queries.ts'

interface HistoryInputProps {
  readonly field: Field
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly onText: (text: string) => void
  readonly placeholder?: string
  readonly required?: boolean
}

/** A text field that offers what the user typed into it before. */
export function HistoryInput({ field, onText, ...props }: HistoryInputProps) {
  const { data: entries = [] } = useEntries(field)
  const list = useId()
  return (
    <>
      <TextInput
        {...props}
        list={list}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => onText(value)}
      />
      <datalist id={list}>
        {entries.map((entry) => (
          <option key={entry}>{entry}</option>
        ))}
      </datalist>
    </>
  )
}

interface ClearHistoryProps {
  readonly field: Field
  /** The label of the text field. */
  readonly label: string
}

/** Clears what a text field offers. */
export function ClearHistory({ field, label }: ClearHistoryProps) {
  const { data: entries = [] } = useEntries(field)
  const clearing = useClearEntries()
  if (entries.length === 0) return null
  return (
    <Group>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={`Clear history: ${label}`}
        loading={clearing.isPending}
        onClick={() => clearing.mutate(field)}
      >
        Clear history
      </Button>
    </Group>
  )
}
