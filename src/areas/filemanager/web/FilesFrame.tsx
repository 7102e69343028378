import { Group, Tabs } from '@mantine/core'
import { IconFolder, IconGitBranch, IconHistory, IconSearch, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { useGo } from '../../../web/kit/RowLink.tsx'
import { useActiveJobs } from './jobs/use-active-jobs.ts'
import { parentOf } from './paths.ts'
import { Unfinished } from './uploads/Unfinished.tsx'
import type { Place } from './whose.ts'
import { WhosePicker } from './WhosePicker.tsx'
import classes from './files.module.css'

export type FilesTab = 'files' | 'search' | 'history' | 'vcs' | 'trash'

const tabs = [
  { value: 'files', label: 'Files', Icon: IconFolder, to: '/files' },
  { value: 'search', label: 'Search', Icon: IconSearch, to: '/files/search' },
  { value: 'history', label: 'History', Icon: IconHistory, to: '/files/history' },
  { value: 'vcs', label: 'Version control', Icon: IconGitBranch, to: '/files/vcs' },
  { value: 'trash', label: 'Trash', Icon: IconTrash, to: '/files/trash' },
] as const

/** The tabs that show the folder that was last open. */
const keepsPath: ReadonlySet<string> = new Set(['files', 'search', 'vcs'])

/** The last open folder by owner; the versions and trash pages link back to it. */
const lastFolders = new Map<string, string>()

interface FilesFrameProps {
  readonly place: Place
  readonly tab: FilesTab
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of all file pages: the owner, the tabs and the unfinished uploads. */
export function FilesFrame({ place, tab, actions, children }: FilesFrameProps) {
  const go = useGo()
  useActiveJobs(place.whose)
  const named = JSON.stringify(place.whose)
  const folder = keepsPath.has(tab)
    ? place.path
    : tab === 'history' && place.path !== ''
      ? parentOf(place.path)
      : (lastFolders.get(named) ?? '')
  useEffect(() => void lastFolders.set(named, folder), [named, folder])
  const open = (value: string | null) => {
    const target = tabs.find((each) => each.value === value)
    if (target) go({ to: target.to, search: place.at(keepsPath.has(target.value) ? folder : '') })
  }
  return (
    <Page
      title="Files"
      about={<WhosePicker place={place} />}
      actions={actions && <Group gap="xs">{actions}</Group>}
    >
      <Tabs value={tab} onChange={open} keepMounted={false} activateTabWithKeyboard={false}>
        <Tabs.List aria-label="Pages on files" className={classes.tabs}>
          {tabs.map(({ value, label, Icon }) => (
            <Tabs.Tab key={value} value={value} leftSection={<Icon size={16} aria-hidden />}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          {children}
        </Tabs.Panel>
      </Tabs>
      <Unfinished />
    </Page>
  )
}
