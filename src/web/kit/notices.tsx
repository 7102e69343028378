import { Button, Group, Notification, Stack } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { activity } from '../../areas/activity/web/api.ts'
import { run } from '../client.ts'
import { queryClient } from '../queries.ts'
import { onUntold, takeUndo } from '../undoable.ts'
import { textOf } from '../wire.ts'
import { useNoticeSpace } from './notice-space.ts'
import classes from './notices.module.css'

const shownMs = 6000
const undoableMs = 12_000

interface Notice {
  readonly key: number
  readonly text: string
  readonly isBad: boolean
  /** The activity entry by which the action can be undone. */
  readonly undoId: number | undefined
}

let notices: readonly Notice[] = []
let nextKey = 1
const listeners = new Set<() => void>()

/** Confirms for a few seconds that an action is done, and offers to undo it if the panel can. */
export function notify(text: string, isBad = false): void {
  show({ text, isBad, undoId: isBad ? undefined : takeUndo() })
}

function show(shown: Omit<Notice, 'key'>): void {
  const notice = { ...shown, key: nextKey++ }
  put([...notices.slice(-2), notice])
  setTimeout(() => close(notice.key), notice.undoId === undefined ? shownMs : undoableMs)
}

/** Says in the words of the activity what was done, where the page does not. */
onUntold((undoId) => {
  void run(activity.listOwnActivity({ query: { limit: 20 } })).then(({ items }) => {
    const text = items.find(({ id }) => id === undoId)?.message
    if (text) show({ text, isBad: false, undoId })
  }, ignore)
})
const ignore = () => {} // the activity has the undo as well

const close = (key: number): void => put(notices.filter((each) => each.key !== key))

async function undo({ key, text }: Notice, id: number): Promise<void> {
  close(key)
  try {
    await run(activity.undoChange({ params: { id } }))
    takeUndo() // what is offered is the change, not its undo
    notify(`Undone: ${text}`)
    await queryClient.invalidateQueries()
  } catch (error) {
    notify(textOf(error), true)
  }
}

/** The region where notices appear; screen readers announce it. */
export function Notices() {
  const current = useSyncExternalStore(subscribe, () => notices)
  const region = useNoticeSpace()
  return (
    <div ref={region} className={classes.region}>
      <Stack gap="xs" aria-live="polite" role="status">
        {current.map((notice) => (
          <Notification
            key={notice.key}
            color={notice.isBad ? 'red' : 'green'}
            withBorder
            onClose={() => close(notice.key)}
            closeButtonProps={{ 'aria-label': 'Close this notice' }}
            styles={{ description: { overflowWrap: 'anywhere' } }}
          >
            <Group justify="space-between" wrap="nowrap">
              {notice.text}
              {notice.undoId !== undefined && (
                <Button
                  size="compact-xs"
                  variant="default"
                  flex="none"
                  onClick={() => void undo(notice, notice.undoId ?? 0)}
                >
                  Undo
                </Button>
              )}
            </Group>
          </Notification>
        ))}
      </Stack>
    </div>
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
