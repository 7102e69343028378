import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../call.ts'
import { run } from '../client.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { previewOf } from './PlanView.tsx'
import { SchemaForm, type SchemaFormProps } from './SchemaForm.tsx'

interface PlannedFormProps extends Omit<SchemaFormProps, 'onSubmit' | 'onCancel' | 'submitLabel'> {
  readonly title: string
  /** The label of the button that makes the change. */
  readonly confirmLabel: string
  /** Makes the request from the body of the form. */
  readonly callOf: (body: any) => Call
  /** Widens the dialog for a form with many fields. */
  readonly size?: 'lg' | 'xl'
  readonly onClose: () => void
  readonly onDone: (reply: any) => unknown
}

/**
 * A form in a dialog that shows the plan of its change first; an error appears at the field that it names.
 */
export function PlannedForm({
  title,
  confirmLabel,
  callOf,
  size = 'lg',
  onClose,
  onDone,
  ...form
}: PlannedFormProps) {
  const [call, setCall] = useState<Call>()
  const look = async (body: unknown) => {
    const wanted = callOf(body)
    await run(previewOf(wanted))
    setCall(wanted)
  }
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': 'Close' }}
        trapFocus={!call}
        closeOnEscape={!call}
      >
        <SchemaForm {...form} submitLabel="Review changes" onSubmit={look} onCancel={onClose} />
      </Modal>
      {call && (
        <ChangeDialog
          title={title}
          call={call}
          confirmLabel={confirmLabel}
          onClose={() => setCall(undefined)}
          onDone={onDone}
        />
      )}
    </>
  )
}
