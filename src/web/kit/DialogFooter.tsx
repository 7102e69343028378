import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './DialogFooter.module.css'

interface DialogFooterProps {
  /** A text at the other end, for example what a running change is doing. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

/** The buttons of a dialog or form; in a dialog they stay in view while its content scrolls. */
export function DialogFooter({ note, children }: DialogFooterProps) {
  if (note === undefined)
    return (
      <Group justify="flex-end" gap="xs" className={classes.footer}>
        {children}
      </Group>
    )
  return (
    <Group justify="space-between" gap="xs" className={classes.footer}>
      {note}
      <Group gap="xs">{children}</Group>
    </Group>
  )
}
