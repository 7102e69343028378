import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './PageTabs.module.css'

/** One of several views of an object. */
export interface SectionTab {
  readonly name: string
  readonly label: string
  readonly content: ReactNode
  /** The view keeps what was entered in it while another one is shown. */
  readonly isKept?: boolean
}

interface SectionTabsProps {
  readonly label: string
  readonly tabs: readonly SectionTab[]
  /** The open one, where the page decides it. */
  readonly shown?: string
  readonly onShow?: (name: string) => void
}

/** Tabs between views inside a dialog or card, with the look of PageTabs; the first one is open at first. */
export function SectionTabs({ label, tabs, shown, onShow }: SectionTabsProps) {
  return (
    <Tabs
      unstyled
      {...(shown === undefined ? { defaultValue: tabs[0]?.name ?? null } : { value: shown })}
      onChange={(name) => name !== null && onShow?.(name)}
      keepMounted={false}
      activateTabWithKeyboard={false}
      classNames={{ list: classes.tabs, tab: classes.tab }}
    >
      <Tabs.List aria-label={label}>
        {tabs.map(({ name, label: text }) => (
          <Tabs.Tab key={name} value={name}>
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content, isKept = false }) => (
        <Tabs.Panel key={name} value={name} keepMounted={isKept}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
