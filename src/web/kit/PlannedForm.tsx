import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../call.ts'
import { run } from '../client.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { previewOf } from './PlanView.tsx'
import { SchemaForm, type SchemaFormProps } from './SchemaForm.tsx'

interface PlannedFormProps extends Omit<SchemaFormProps, 'onSubmit' | 'onCancel' | 'submitLabel'> {
  readonly title: string
  /** What the change is called on its button. */
  readonly confirmLabel: string
  /** The request that a body of the form makes. */
  readonly callOf: (body: any) => Call
  /** A form with many fields is wider. */
  readonly size?: 'lg' | 'xl'
  readonly onClose: () => void
  readonly onDone: (reply: any) => unknown
}

/** A form in a dialog whose change is looked at before it is made; what is refused comes back to the field that it names. */
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
