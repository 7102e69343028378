import { Button, Group, Text, Textarea } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { RecordSetDraft } from '../model.ts'
import { draftOf, type EditedSet, linesOf, type TypedSet } from './staged.ts'

/** What is done with the row of a set. */
export interface Actions {
  readonly onStage: (draft: RecordSetDraft) => void
  readonly onRemove: (set: EditedSet) => void
  readonly onUnstage: (set: EditedSet) => void
}

const mostShown = 5

/** Names a set in the labels of its controls. */
export const labelOf = ({ shownName, type }: EditedSet) => `${shownName} ${type}`

interface RecordsInputProps {
  readonly set: EditedSet
  readonly typed: TypedSet
  readonly onType: (typed: TypedSet | undefined) => void
}

/** The records of the row that is edited, with the focus; Escape ends the editing. */
export function RecordsInput({ set, typed, onType }: RecordsInputProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <Textarea
      ref={input}
      aria-label={`Records of ${labelOf(set)}, one to a line`}
      size="xs"
      autosize
      maxRows={12}
      styles={{ input: { fontFamily: 'monospace' } }}
      value={typed.text}
      onChange={(event) => onType({ ...typed, text: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onType(undefined)
      }}
    />
  )
}

/** The first records of a set. */
export const Records = ({ set: { records } }: { readonly set: EditedSet }) => (
  <>
    {records.slice(0, mostShown).map(({ content, disabled }) => (
      <Text size="sm" ff="monospace" className="anywhere" key={content} lineClamp={3}>
        {content}
        {disabled && ' (disabled)'}
      </Text>
    ))}
    {records.length > mostShown && (
      <Text size="xs" c="dimmed">
        and {records.length - mostShown} more
      </Text>
    )}
  </>
)

interface EditActionsProps {
  readonly set: EditedSet
  readonly typed: TypedSet
  readonly onStage: Actions['onStage']
  readonly onClose: () => void
}

/** Stages what was typed in a row, or drops it. */
export function EditActions({ set, typed, onStage, onClose }: EditActionsProps) {
  const stage = () => {
    onStage(draftOf(set, typed))
    onClose()
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Button
        size="xs"
        aria-label={`Stage ${labelOf(set)}`}
        disabled={linesOf(typed.text).length === 0}
        onClick={stage}
      >
        Stage
      </Button>
      <Button size="xs" variant="default" aria-label={`Cancel editing ${labelOf(set)}`} onClick={onClose}>
        Cancel
      </Button>
    </Group>
  )
}

interface SetActionsProps {
  readonly set: EditedSet
  readonly actions: Actions
  readonly onEdit: () => void
  /** Present where the focus returns here. */
  readonly onReturned?: () => void
}

/** Edits, removes and restores a set. */
export function SetActions({ set, actions, onEdit, onReturned }: SetActionsProps) {
  const label = labelOf(set)
  const edit = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (onReturned === undefined) return
    edit.current?.focus()
    onReturned()
  }, [onReturned])
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {set.state !== 'unchanged' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Revert ${label}`}
          onClick={() => actions.onUnstage(set)}
        >
          Revert
        </Button>
      )}
      {set.state !== 'removed' && (
        <Button ref={edit} size="xs" variant="default" aria-label={`Edit ${label}`} onClick={onEdit}>
          Edit
        </Button>
      )}
      {set.state === 'unchanged' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove ${label}`}
          onClick={() => actions.onRemove(set)}
        >
          Remove
        </Button>
      )}
    </Group>
  )
}
