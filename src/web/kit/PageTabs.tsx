import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './PageTabs.module.css'

/** One page of several that belong together. */
export interface PageTab {
  readonly to: string
  readonly label: string
}

/** The way between pages that belong together: links, so that each has an address of its own. */
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
