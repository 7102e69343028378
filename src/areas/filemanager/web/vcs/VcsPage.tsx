import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import { IconArrowBarDown, IconArrowBarUp, IconGitBranch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useGo } from '../../../../web/kit/RowLink.tsx'
import { SectionTabs } from '../../../../web/kit/SectionTabs.tsx'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import type { Repository } from '../calls.ts'
import { FilesFrame } from '../FilesFrame.tsx'
import { shown } from '../names.ts'
import { isNamed, type Place, usePlace } from '../whose.ts'
import { WhoseFiles } from '../WhoseFiles.tsx'
import { Changes } from './Changes.tsx'
import { CloneDialog } from './CloneDialog.tsx'
import { Commits } from './Commits.tsx'
import { InitDialog } from './InitDialog.tsx'
import { type Status, useStatus } from './queries.ts'
import { Remotes } from './Remotes.tsx'
import { TransferDialog } from './TransferDialog.tsx'
import classes from './vcs.module.css'

/** The repository of a folder: its changes, commits and remotes. */
export function VcsPage() {
  const place = usePlace()
  return isNamed(place) ? <RepositoryAt key={place.path} place={place} /> : <WhoseFiles place={place} />
}

function RepositoryAt({ place }: { readonly place: Place }) {
  const repository: Repository = { whose: place.whose, path: place.path }
  const status = useStatus(repository)
  const box = useRef<HTMLDivElement>(null) // takes the focus when the focused element is gone
  return (
    <FilesFrame place={place} tab="vcs">
      {status.error && <Failure error={status.error} onRetry={() => void status.refetch()} />}
      {status.isPending && <Loading rows={6} />}
      <div ref={box} tabIndex={-1} className={classes.begun}>
        {status.data && !status.data.is_repository && (
          <NoRepository
            place={place}
            repository={repository}
            onBegun={() => box.current?.focus({ preventScroll: true })}
          />
        )}
        {status.data?.is_repository && <OpenRepository repository={repository} status={status.data} />}
      </div>
    </FilesFrame>
  )
}

interface NoRepositoryProps {
  readonly place: Place
  readonly repository: Repository
  readonly onBegun: () => void
}

function NoRepository({ place, repository, onBegun }: NoRepositoryProps) {
  const go = useGo()
  const [asked, setAsked] = useState<'init' | 'clone'>()
  const folder = place.path === '' ? 'The home' : shown(place.path)
  return (
    <Paper withBorder radius="lg">
      <Empty
        title={`${folder} is not a Git repository`}
        action={
          <Group gap="xs" justify="center" mt="xs">
            <Button leftSection={<IconGitBranch size={16} aria-hidden />} onClick={() => setAsked('init')}>
              Initialise repository
            </Button>
            <Button variant="default" onClick={() => setAsked('clone')}>
              Clone a repository
            </Button>
          </Group>
        }
      >
        Initialise one, or clone a repository into a folder in it. Open another folder in the files to look at
        that one.
      </Empty>
      {asked === 'init' && (
        <InitDialog repository={repository} onClose={() => setAsked(undefined)} onBegun={onBegun} />
      )}
      {asked === 'clone' && (
        <CloneDialog
          whose={place.whose}
          folder={place.path}
          onClose={() => setAsked(undefined)}
          onCloned={(path) => go({ to: '/files/vcs', search: place.at(path) })}
        />
      )}
    </Paper>
  )
}

interface OpenRepositoryProps {
  readonly repository: Repository
  readonly status: Omit<Status, 'files'> & { readonly files: Status['files'] }
}

function OpenRepository({ repository, status }: OpenRepositoryProps) {
  const [transfer, setTransfer] = useState<'pull' | 'push'>()
  const hasRemote = status.remotes.length > 0
  return (
    <Paper withBorder radius="lg" style={{ overflow: 'hidden' }}>
      <div className={classes.head}>
        <Text fw={600} className={classes.text}>
          {status.root === '' ? 'Home' : shown(status.root)}
        </Text>
        <Standing status={status} />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            disabled={!hasRemote}
            leftSection={<IconArrowBarDown size={15} aria-hidden />}
            onClick={() => setTransfer('pull')}
          >
            Pull
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!hasRemote || status.head === null}
            leftSection={<IconArrowBarUp size={15} aria-hidden />}
            onClick={() => setTransfer('push')}
          >
            Push
          </Button>
        </Group>
      </div>
      <SectionTabs label="Views of the repository" tabs={tabsOf({ repository, status })} />
      {transfer && (
        <TransferDialog
          verb={transfer}
          repository={repository}
          status={status}
          onClose={() => setTransfer(undefined)}
        />
      )}
    </Paper>
  )
}

const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label)

const tabsOf = ({ repository, status }: OpenRepositoryProps) => [
  {
    name: 'changes',
    label: counted('Changes', status.total),
    content: <Changes repository={repository} status={status} />,
    isKept: true,
  },
  {
    name: 'commits',
    label: 'Commits',
    content: <Commits repository={repository} isEmpty={status.head === null} />,
  },
  {
    name: 'remotes',
    label: counted('Remotes', status.remotes.length),
    content: <Remotes repository={repository} remotes={status.remotes} />,
  },
]

function Standing({ status }: Pick<OpenRepositoryProps, 'status'>) {
  const { branch, upstream, ahead, behind, operation } = status
  return (
    <Group gap={6}>
      <Badge variant="light" tt="none" leftSection={<IconGitBranch size={12} aria-hidden />}>
        {branch ?? 'no branch'}
      </Badge>
      {operation !== 'none' && (
        <Badge variant="light" color="orange" tt="none">
          {operation.replace('_', ' ')} was begun
        </Badge>
      )}
      {upstream !== null && (
        <Text size="xs" c="dimmed">
          {ahead === 0 && behind === 0
            ? `Up to date with ${upstream}`
            : `${ahead} ahead of, ${behind} behind ${upstream}`}
        </Text>
      )}
    </Group>
  )
}
