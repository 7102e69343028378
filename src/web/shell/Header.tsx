import { ActionIcon, AppShell, Box, Burger, Button, Group, Kbd, Text } from '@mantine/core'
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react'
import { AccountMenu } from './AccountMenu.tsx'
import { HelpMenu } from './HelpMenu.tsx'
import { HostName } from './HostName.tsx'
import { JobsMenu } from './jobs/JobsMenu.tsx'
import { Mark } from './Mark.tsx'
import { NotificationsMenu } from './notifications/NotificationsMenu.tsx'
import type { MenuWidth } from './menu-width.ts'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import type { Overlay } from './Overlays.tsx'

interface HeaderProps {
  readonly isMenuOpen: boolean
  /** True while the panel does not answer. */
  readonly isStale: boolean
  readonly onMenu: () => void
  readonly width: MenuWidth
  readonly onOpen: (overlay: Overlay) => void
}

/** The header of every page: the host, the command palette, jobs, notifications, help, appearance and account. */
export function Header({ isMenuOpen, isStale, onMenu, width, onOpen }: HeaderProps) {
  const openPalette = () => onOpen('palette')
  return (
    <AppShell.Header px="md" withBorder data-is-stale={isStale}>
      <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Burger
            opened={isMenuOpen}
            onClick={onMenu}
            hiddenFrom="sm"
            size="sm"
            aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
            aria-expanded={isMenuOpen}
          />
          {width.canChoose && <MenuWidthButton width={width} />}
          <Box visibleFrom="sm" lh={0}>
            <Mark />
          </Box>
          <Text fw={700} size="lg" visibleFrom="sm">
            Hostreeve
          </Text>
          <HostName />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <Button
            visibleFrom="sm"
            variant="default"
            c="dimmed"
            fw={400}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={<Kbd size="xs">Ctrl K</Kbd>}
            onClick={openPalette}
          >
            Search
          </Button>
          <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label="Search" onClick={openPalette}>
            <IconSearch size={18} aria-hidden />
          </ActionIcon>
          <JobsMenu />
          <NotificationsMenu />
          <HelpMenu onShortcuts={() => onOpen('shortcuts')} />
          <SchemeSwitch />
          <AccountMenu />
        </Group>
      </Group>
    </AppShell.Header>
  )
}

function MenuWidthButton({ width }: { readonly width: MenuWidth }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={width.isNarrow ? 'Expand the menu' : 'Collapse the menu'}
      aria-expanded={!width.isNarrow}
      aria-controls="menu"
      onClick={width.toggle}
    >
      <IconLayoutSidebar size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
