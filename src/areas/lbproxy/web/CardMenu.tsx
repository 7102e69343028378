import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface CardMenuProps {
  readonly label: string
  /** The menu items, made when the menu is first opened. */
  readonly items: () => ReactNode
}

/** The menu of a card. A page has hundreds of cards, so the menu is made when it is first opened. */
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

/** Focuses the button first, so that closing the menu returns the focus to it. */
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
