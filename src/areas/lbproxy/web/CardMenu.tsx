import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface CardMenuProps {
  readonly label: string
  /** Its items, made when they are asked for. */
  readonly items: () => ReactNode
}

/** The actions of a card behind three dots. Hundreds of cards stand on a page: a menu is made when it is first opened. */
export function CardMenu({ label, items }: CardMenuProps) {
  const [isMade, setMade] = useState(false)
  if (isMade) return <MadeMenu label={label} items={items} />
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setMade(true)}
    >
      <IconDots size={18} aria-hidden />
    </ActionIcon>
  )
}

/** Takes the focus first, so that closing the menu gives it back to the dots. */
function MadeMenu({ label, items }: CardMenuProps) {
  const dots = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    dots.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ActionIcon ref={dots} variant="subtle" color="gray" aria-label={label}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{items()}</Menu.Dropdown>
    </Menu>
  )
}
