import { AppShell, Center, Loader, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Notices } from '../kit/notices.tsx'
import { Loading } from '../kit/states.tsx'
import { useConnection, useSession } from '../use-session.ts'
import { AreaGate } from './AreaGate.tsx'
import { Banners } from './Banners.tsx'
import { FactorPrompt } from './FactorPrompt.tsx'
import { Header } from './Header.tsx'
import { Menu } from './Menu.tsx'
import { useMenuWidth } from './menu-width.ts'
import { type Overlay, Overlays } from './Overlays.tsx'
import { SessionEnded } from './SessionEnded.tsx'
import { focusSearch, useShortcuts } from './shortcuts.ts'

// Transfers begin at the files and continue on every page.
const Transfers = lazy(() =>
  import('../../areas/filemanager/web/uploads/Transfers.tsx').then(({ Transfers: component }) => ({
    default: component,
  })),
)

/** The panel: the menu and the current page; nothing while the sign-in form is shown. */
export function Shell() {
  const { state, userId } = useSession()
  if (state === 'unknown')
    return (
      <Center h="100dvh">
        <Loader aria-label="Opening the panel" />
      </Center>
    )
  return state === 'out' ? null : <SignedIn key={userId} />
}

function SignedIn() {
  const { isLost } = useConnection()
  const [isOpen, { toggle, close }] = useDisclosure()
  const [overlay, setOverlay] = useState<Overlay>()
  const width = useMenuWidth()
  const main = useFocusedPage(close)
  const hasTransfers = useVisited('/files')
  useShortcuts((shortcut) => (shortcut === 'search' ? focusSearch() : setOverlay(shortcut)))
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: width.isNarrow ? 64 : 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <Header isMenuOpen={isOpen} isStale={isLost} onMenu={toggle} width={width} onOpen={setOverlay} />
      <AppShell.Navbar aria-label="Main menu" id="menu" data-is-open={isOpen} data-is-stale={isLost}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <Menu isNarrow={width.isNarrow} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} ref={main} bg="var(--panel-ground)">
        <Banners />
        <div data-is-stale={isLost}>
          <Suspense fallback={<Loading />}>
            <AreaGate>
              <Outlet />
            </AreaGate>
          </Suspense>
        </div>
      </AppShell.Main>
      <Overlays open={overlay} onClose={() => setOverlay(undefined)} />
      <SessionEnded />
      <FactorPrompt />
      <Notices />
      {hasTransfers && (
        <Suspense>
          <Transfers />
        </Suspense>
      )}
    </AppShell>
  )
}

/** Starts keyboard and screen reader at the new page after each change of pages; returns the ref of its frame. */
function useFocusedPage(onChange: () => void) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    onChange()
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path, onChange])
  return main
}

/** True from the first visit of a page below this path. */
function useVisited(parent: string): boolean {
  const isHere = useRouterState({ select: ({ location }) => location.pathname.startsWith(parent) })
  const [wasHere, setWasHere] = useState(isHere)
  if (isHere && !wasHere) setWasHere(true)
  return isHere || wasHere
}
