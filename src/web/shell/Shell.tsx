import { AppShell, Burger, Center, Group, Loader, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Notices } from '../kit/notices.tsx'
import { Loading } from '../kit/states.tsx'
import { useSessionState } from '../session.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Mark } from './Mark.tsx'
import { Menu } from './Menu.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import { SignIn } from './SignIn.tsx'

// Transfers continue on every page; their components are loaded lazily to keep the first page small.
const Transfers = lazy(() =>
  import('../../areas/filemanager/web/uploads/Transfers.tsx').then(({ Transfers: component }) => ({
    default: component,
  })),
)

/** The panel: the sign-in form, or the menu and the current page. */
export function Shell() {
  const session = useSessionState()
  if (session === 'unknown')
    return (
      <Center h="100dvh">
        <Loader aria-label="Opening the panel" />
      </Center>
    )
  return session === 'out' ? <SignIn /> : <SignedIn />
}

function SignedIn() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    close()
    // start keyboard and screen reader at the new page
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path, close])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell.Header px="md" withBorder>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
              aria-expanded={isOpen}
            />
            <Mark />
            <Text fw={700} size="lg">
              Hostreeve
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SchemeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Main menu" id="menu" data-is-open={isOpen}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <Menu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} ref={main} bg="var(--panel-ground)">
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Notices />
      <Suspense>
        <Transfers />
      </Suspense>
    </AppShell>
  )
}
