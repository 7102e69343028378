import { Button, List, Modal, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { textOf } from '../../../../web/wire.ts'
import type { Item } from '../queries.ts'

/** An operation on several entries. */
export interface Work {
  readonly title: string
  readonly items: readonly Item[]
  readonly each: (item: Item) => Promise<unknown>
  /** The message after full success. */
  readonly done: string
}

interface Failed {
  readonly label: string
  readonly text: string
}

/** Runs an operation entry by entry and shows progress and failures; a failure does not stop the rest. */
export function WorkDialog({ work, onClose }: { readonly work: Work; readonly onClose: () => void }) {
  const [at, setAt] = useState(0)
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const isBegun = useRef(false)
  const isStopped = useRef(false)
  const { items, each } = work
  const isOver = at >= items.length
  const doAll = async () => {
    let hasFailed = false
    for (const [index, item] of items.entries()) {
      if (isStopped.current) break
      setAt(index)
      await each(item).catch((error: unknown) => {
        hasFailed = true
        setFailed((before) => [...before, { label: item.label, text: textOf(error) }])
      })
    }
    setAt(items.length)
    void readAgain('files', 'trash', 'history', 'vcs') // once, not after each
    if (hasFailed) return
    if (!isStopped.current) notify(work.done)
    onClose()
  }
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void doAll()
  })
  const stop = () => {
    isStopped.current = true
    if (isOver) onClose()
  }
  return (
    <Modal
      opened
      onClose={stop}
      title={work.title}
      closeButtonProps={{ 'aria-label': isOver ? 'Close' : 'Stop after this one' }}
      closeOnClickOutside={isOver}
    >
      <Stack gap="sm">
        <Text size="sm" aria-live="polite" className="anywhere">
          {isOver
            ? `${items.length - failed.length} of ${items.length} done`
            : `${at + 1} of ${items.length}: ${items[at]?.label}`}
        </Text>
        <Progress.Root>
          <Progress.Section
            value={(at / items.length) * 100}
            color={failed.length > 0 ? 'red' : 'indigo'}
            aria-label="Progress"
          />
        </Progress.Root>
        {failed.length > 0 && (
          <List size="sm" spacing={4} role="alert" aria-label="Failures">
            {failed.map(({ label, text }) => (
              <List.Item key={label} className="anywhere">
                <b>{label}</b>: {text}
              </List.Item>
            ))}
          </List>
        )}
        <DialogFooter>
          <Button variant="default" onClick={stop} data-autofocus>
            {isOver ? 'Close' : 'Stop'}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
