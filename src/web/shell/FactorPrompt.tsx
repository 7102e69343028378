import { lazy, Suspense, useEffect, useState } from 'react'
import { onFactorAsked } from '../fresh-factor.ts'

const ConfirmFactor = lazy(() =>
  import('../../areas/auth/web/ConfirmFactor.tsx').then(({ ConfirmFactor: component }) => ({
    default: component,
  })),
)

/** Asks for a code of the second factor where an action needs a fresh one, over the page and its dialogs. */
export function FactorPrompt() {
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>()
  useEffect(() => onFactorAsked(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (answer === undefined) return null
  const close = (isConfirmed: boolean) => {
    setAnswer(undefined)
    answer(isConfirmed)
  }
  return (
    <Suspense>
      <ConfirmFactor onClose={close} />
    </Suspense>
  )
}
