import { Affix, Notification, Stack } from '@mantine/core'
import { useSyncExternalStore } from 'react'

const shownMs = 6000

interface Notice {
  readonly key: number
  readonly text: string
  readonly isBad: boolean
}

let notices: readonly Notice[] = []
let nextKey = 1
const listeners = new Set<() => void>()

/** Confirms for a few seconds that an action is done. */
export function notify(text: string, isBad = false): void {
  const notice = { key: nextKey++, text, isBad }
  put([...notices.slice(-2), notice])
  setTimeout(() => put(notices.filter(({ key }) => key !== notice.key)), shownMs)
}

/** The region where notices appear; screen readers announce it. */
export function Notices() {
  const current = useSyncExternalStore(subscribe, () => notices)
  return (
    // A notice covers part of the page: clicks pass through it except on its close button.
    <Affix position={{ bottom: 16, right: 16 }} zIndex={400} style={{ pointerEvents: 'none' }}>
      <Stack gap="xs" aria-live="polite" role="status">
        {current.map(({ key, text, isBad }) => (
          <Notification
            key={key}
            color={isBad ? 'red' : 'green'}
            withBorder
            onClose={() => put(notices.filter((each) => each.key !== key))}
            closeButtonProps={{ 'aria-label': 'Close this notice' }}
            styles={{ closeButton: { pointerEvents: 'auto' }, description: { overflowWrap: 'anywhere' } }}
          >
            {text}
          </Notification>
        ))}
      </Stack>
    </Affix>
  )
}

function put(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
