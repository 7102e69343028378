import { ActionIcon, Menu } from '@mantine/core'
import { IconApi, IconBook, IconHelp, IconKeyboard } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** Links to the documents of the panel, and the keyboard shortcuts. */
export function HelpMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Help">
          <IconHelp size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconBook size={16} aria-hidden />}
          renderRoot={(props) => <Link {...props} to={'/guides' as never} />}
        >
          Guides
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/api/docs"
          target="_blank"
          leftSection={<IconApi size={16} aria-hidden />}
        >
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
