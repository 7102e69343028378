import { lazy, Suspense } from 'react'
import { useSession } from '../use-session.ts'

const Dialog = lazy(() =>
  import('./SessionEndedDialog.tsx').then(({ SessionEndedDialog: component }) => ({ default: component })),
)

/** The dialog of an ended session, which is loaded when one has ended. */
export function SessionEnded() {
  const { state } = useSession()
  return <Suspense>{state === 'ended' && <Dialog />}</Suspense>
}
