import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

interface OrderButtonsProps {
  readonly name: string
  readonly index: number
  readonly count: number
  readonly isBusy: boolean
  readonly onMove: (to: number) => void
}

/** The buttons that move one of several things up and down. */
export function OrderButtons({ name, index, count, isBusy, onMove }: OrderButtonsProps) {
  const directions = [
    { label: 'up', Icon: IconArrowUp, to: index - 1 },
    { label: 'down', Icon: IconArrowDown, to: index + 1 },
  ]
  return (
    <>
      {directions.map(({ label, Icon, to }) => (
        <ActionIcon
          key={label}
          variant="default"
          size="md"
          disabled={isBusy || to < 0 || to >= count}
          aria-label={`Move ${name} ${label}`}
          onClick={() => onMove(to)}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      ))}
    </>
  )
}
