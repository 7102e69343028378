import { Button, type MantineColor, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Call } from '../call.ts'
import { run } from '../client.ts'
import { DialogFooter } from './DialogFooter.tsx'
import { PlanView, previewOf } from './PlanView.tsx'
import { Failure } from './states.tsx'

/** The change that a form would make with its present values. */
export interface Reviewed {
  readonly call: Call
  /** Shows what is missing at its fields and returns false if the form cannot be sent yet. */
  readonly isComplete?: () => boolean
  /** Shows a refusal at the field that it names and returns true, or returns false if it names none. */
  readonly showAtField?: (error: unknown) => boolean
  /** What a second change does afterwards, which cannot be planned before the first is made. */
  readonly afterwards?: string | undefined
}

interface FormButtonsProps {
  readonly submitLabel: string
  readonly isSending?: boolean
  readonly isDisabled?: boolean
  readonly isWide?: boolean
  readonly color?: MantineColor
  /** Absent if the form changes nothing, such as that of the sign-in. */
  readonly reviewed?: Reviewed | undefined
  readonly onCancel?: (() => void) | undefined
  /** A note beside the buttons. */
  readonly children?: ReactNode
}

/**
 * The buttons of a form that changes something: its main button, and beside it one that shows the plan. A plan
 * is of the values that it was made from, so it disappears when a field changes.
 */
export function FormButtons(props: FormButtonsProps) {
  const {
    submitLabel,
    isSending = false,
    isDisabled = false,
    isWide = false,
    color,
    reviewed,
    onCancel,
  } = props
  const review = useReview(reviewed)
  return (
    <Stack gap="md" mt="xs">
      {review.plan && (
        <Stack gap="xs" role="region" aria-label="Review changes" aria-live="polite">
          <PlanView plan={review.plan} />
          {reviewed?.afterwards && <Text size="sm">{reviewed.afterwards}</Text>}
        </Stack>
      )}
      {review.error !== undefined && <Failure error={review.error} />}
      <DialogFooter note={props.children}>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {reviewed && (
          <Button
            variant="default"
            loading={review.isPending}
            disabled={isDisabled || isSending}
            onClick={(event) => review.look(event.currentTarget.form)}
          >
            Review
          </Button>
        )}
        <Button
          type="submit"
          loading={isSending}
          disabled={isDisabled}
          fullWidth={isWide}
          {...(color !== undefined && { color })}
        >
          {submitLabel}
        </Button>
      </DialogFooter>
    </Stack>
  )
}

/** Requests the plan of a change; it is current as long as the form would make the same call. */
function useReview(reviewed: Reviewed | undefined) {
  const [isAtField, setAtField] = useState(false)
  const asked = useMutation({
    mutationFn: (call: Call) => run(previewOf(call)),
    onError: (error) => setAtField(reviewed?.showAtField?.(error) ?? false),
    gcTime: 0, // the call may contain a password
  })
  const isCurrent = JSON.stringify(asked.variables) === JSON.stringify(reviewed?.call)
  const look = (form: HTMLFormElement | null) => {
    if (!reviewed) return
    const isComplete = reviewed.isComplete ? reviewed.isComplete() : form?.reportValidity()
    if (isComplete) asked.mutate(reviewed.call)
  }
  return {
    plan: isCurrent ? asked.data : undefined,
    error: isCurrent && !isAtField ? (asked.error ?? undefined) : undefined,
    isPending: asked.isPending,
    look,
  }
}
