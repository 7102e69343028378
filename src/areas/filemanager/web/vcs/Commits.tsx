import { Badge, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../../web/kit/DataTable.tsx'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { Diff } from '../../../../web/kit/Diff.tsx'
import { formatMoment } from '../../../../web/kit/format.ts'
import { useListState } from '../../../../web/kit/list-state.ts'
import { Moment } from '../../../../web/kit/Moment.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { type Repository, vcsCalls } from '../calls.ts'
import { partsOfPatch } from './patch.ts'
import { type LogEntry, useCommit, useLog } from './queries.ts'
import classes from './vcs.module.css'

/** The commits, newest first. */
export function Commits({
  repository,
  isEmpty,
}: {
  readonly repository: Repository
  readonly isEmpty: boolean
}) {
  return isEmpty ? (
    <Empty title="No commits yet">The first commit is made under Changes.</Empty>
  ) : (
    <Log repository={repository} />
  )
}

function Log({ repository }: { readonly repository: Repository }) {
  const list = useListState('-committed_at')
  const { search: _none, ...asked } = list.asked
  const log = useLog(repository, asked)
  const [open, setOpen] = useState<LogEntry>()
  const [back, setBack] = useState<LogEntry>()
  const done = async ({ commit }: { readonly commit: string | null }) => {
    setBack(undefined)
    notify(`The commit was reverted${commit === null ? '' : ` by ${commit.slice(0, 8)}`}.`)
    await readAgain('vcs', 'files')
  }
  return (
    <div style={{ padding: 12 }}>
      <DataTable
        label="Commits"
        columns={columnsOf(setOpen)}
        query={log}
        rowKey={({ commit }) => commit}
        list={list}
        empty={<Empty title="No commits yet" />}
      />
      {open && (
        <CommitDialog
          repository={repository}
          entry={open}
          onClose={() => setOpen(undefined)}
          onTakeBack={() => {
            setBack(open)
            setOpen(undefined)
          }}
        />
      )}
      {back && (
        <ChangeDialog
          title={`Revert “${back.subject}”`}
          confirmLabel="Revert"
          call={vcsCalls.takeBack(repository, back.commit)}
          onClose={() => setBack(undefined)}
          onDone={done}
        >
          <Text size="sm">A new commit undoes it; the history is kept.</Text>
        </ChangeDialog>
      )}
    </div>
  )
}

function columnsOf(onOpen: (entry: LogEntry) => void): Column<LogEntry>[] {
  return [
    {
      id: 'subject',
      title: 'Commit',
      cell: (entry) => (
        <Group gap={6}>
          <button type="button" className={classes.open} onClick={() => onOpen(entry)}>
            {entry.subject || '(no message)'}
          </button>
          {entry.refs.map((name) => (
            <Badge key={name} variant="light" size="sm" tt="none">
              {name}
            </Badge>
          ))}
        </Group>
      ),
    },
    { id: 'author', title: 'Author', cell: ({ author_name }) => author_name },
    { id: 'when', title: 'Committed', cell: ({ committed_at }) => <Moment time={committed_at} /> },
    { id: 'id', title: 'Id', cell: ({ commit }) => <Code>{commit.slice(0, 8)}</Code> },
  ]
}

interface CommitDialogProps {
  readonly repository: Repository
  readonly entry: LogEntry
  readonly onClose: () => void
  readonly onTakeBack: () => void
}

function CommitDialog({ repository, entry, onClose, onTakeBack }: CommitDialogProps) {
  const commit = useCommit(repository, entry.commit)
  const parts = partsOfPatch(commit.data?.patch ?? '')
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Commit ${entry.commit.slice(0, 8)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <p className={classes.subject}>{entry.subject}</p>
        {entry.body.trim() !== '' && <pre className={classes.body}>{entry.body.trim()}</pre>}
        <Text size="sm" c="dimmed">
          {entry.author_name} &lt;{entry.author_email}&gt;, {formatMoment(entry.authored_at)}
        </Text>
        {commit.isPending && <Loading rows={4} />}
        {commit.error && <Failure error={commit.error} />}
        {commit.data && (
          <Text size="sm">
            {commit.data.files.length} {commit.data.files.length === 1 ? 'file' : 'files'}
            {commit.data.is_cut && ', of which not all is shown'}
          </Text>
        )}
        {parts.map((part, index) => (
          <Diff key={index} path={part.path} diff={part.diff} />
        ))}
        <DialogFooter>
          <Button variant="default" c="var(--mantine-color-error)" onClick={onTakeBack}>
            Revert …
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
