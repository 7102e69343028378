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

/** Says that something is done, for a few seconds. */
export function notify(text: string, isBad = false): void {
  const notice = { key: nextKey++, text, isBad }
  put([...notices.slice(-2), notice])
  setTimeout(() => put(notices.filter(({ key }) => key !== notice.key)), shownMs)
}

/** Where notices appear; also read aloud. */
export function Notices() {
  const current = useSyncExternalStore(subscribe, () => notices)
  return (
    // a notice lies over the page for seconds: what is below it can be clicked all the same, only its own button cannot be missed
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
