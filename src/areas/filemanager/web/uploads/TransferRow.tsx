import { ActionIcon, Progress, Text } from '@mantine/core'
import { IconCheck, IconDownload, IconUpload, type IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../../web/kit/format.ts'
import type { SendingState } from './queue.ts'
import classes from './dock.module.css'

interface TransferRowProps {
  readonly way: 'up' | 'down'
  readonly name: string
  readonly text: string
  readonly moved: number
  /** Unknown for an archive that is created while it is downloaded. */
  readonly size: number | undefined
  readonly state: SendingState
  readonly children: ReactNode
}

/** One transfer. */
export function TransferRow({ way, name, text, moved, size, state, children }: TransferRowProps) {
  const Icon = state === 'done' ? IconCheck : way === 'up' ? IconUpload : IconDownload
  const percent = size === undefined || size === 0 ? 100 : (moved / size) * 100
  const isMoving = state === 'sending' || state === 'paused'
  return (
    <li className={classes.row}>
      <Icon size={17} aria-hidden className={classes.way} data-state={state} />
      <div className={classes.text}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'} className="anywhere">
          {text}
          {isMoving && size !== undefined && ` ${Math.floor(percent)} %`}
          {(size !== undefined || moved > 0) &&
            ` · ${formatBytes(isMoving && size === undefined ? moved : (size ?? moved))}`}
        </Text>
        {isMoving && (
          <Progress.Root size={4} mt={4}>
            <Progress.Section
              value={percent}
              animated={size === undefined}
              color={state === 'paused' ? 'gray' : 'indigo'}
              aria-label={`Progress of ${name}`}
            />
          </Progress.Root>
        )}
      </div>
      {children}
    </li>
  )
}

/** The buttons of a transfer. */
export function TransferButton({
  label,
  Icon,
  onClick,
}: {
  readonly label: string
  readonly Icon: typeof IconX
  readonly onClick: () => void
}) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
