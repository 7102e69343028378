import { Group } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { useActiveJobs } from './jobs/use-active-jobs.ts'
import { parentOf } from './paths.ts'
import { Unfinished } from './uploads/Unfinished.tsx'
import type { Place } from './whose.ts'
import { WhosePicker } from './WhosePicker.tsx'

export type FilesTab = 'files' | 'search' | 'history' | 'vcs' | 'trash'

const tabs = [
  { value: 'files', label: 'Files', to: '/files' },
  { value: 'search', label: 'Search', to: '/files/search' },
  { value: 'history', label: 'History', to: '/files/history' },
  { value: 'vcs', label: 'Version control', to: '/files/vcs' },
  { value: 'trash', label: 'Trash', to: '/files/trash' },
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
  useActiveJobs(place.whose)
  const named = JSON.stringify(place.whose)
  const folder = keepsPath.has(tab)
    ? place.path
    : tab === 'history' && place.path !== ''
      ? parentOf(place.path)
      : (lastFolders.get(named) ?? '')
  useEffect(() => void lastFolders.set(named, folder), [named, folder])
  const links = tabs.map(({ value, label, to }) => ({
    to,
    label,
    search: place.at(keepsPath.has(value) ? folder : ''),
  }))
  return (
    <Page
      title="Files"
      about={<WhosePicker place={place} />}
      actions={actions && <Group gap="xs">{actions}</Group>}
    >
      <PageTabs label="Pages on files" tabs={links} />
      {children}
      <Unfinished />
    </Page>
  )
}
