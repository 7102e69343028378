import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './PageTabs.module.css'

/** One of several related pages. */
export interface PageTab {
  readonly to: string
  readonly label: string
}

/** Tabs between related pages, as links so that each page has its own URL. */
export function PageTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  return (
    <nav ref={bar} aria-label={label} className={classes.tabs}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to as never} className={classes.tab} activeOptions={{ exact: true }}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
