import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../call.ts'
import { ApiError } from '../wire.ts'
import type { Plan } from './PlanView.tsx'
import { editedFiles } from './plan-text.ts'

/** The choice to lose the manual edits of files; it is offered only after the panel has found some. */
export function useOverwriting() {
  const [isChosen, setChosen] = useState(false)
  const applyTo = <Answer,>(call: Call<Answer>): Call<Answer> =>
    isChosen ? { ...call, query: { ...call.query, overwrite: true } } : call
  const offer = (plan: Plan | undefined, error: unknown) => {
    const paths = plan ? editedFiles(plan) : []
    const isRefused = error instanceof ApiError && error.code === 'edited_by_hand'
    return (isChosen || isRefused || paths.length > 0) && <Choice isChosen={isChosen} onChange={setChosen} />
  }
  return { applyTo, offer }
}

interface ChoiceProps {
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

const Choice = ({ isChosen, onChange }: ChoiceProps) => (
  <Checkbox
    label="Discard the manual edits"
    description="The file is replaced. The differences show what is lost."
    checked={isChosen}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)
