import { ActionIcon, Badge, Button, Checkbox, Group, Text, Textarea } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { Diff } from '../../../../web/kit/Diff.tsx'
import { FormButtons } from '../../../../web/kit/FormButtons.tsx'
import { humanize } from '../../../../web/kit/format.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { carryOut, type Repository, vcsCalls } from '../calls.ts'
import { shown } from '../names.ts'
import { Begun } from './Begun.tsx'
import { partsOfPatch } from './patch.ts'
import { type ChangedFile, type Status, useFileDiff } from './queries.ts'
import classes from './vcs.module.css'

const colors: Readonly<Record<string, string>> = {
  added: 'green',
  untracked: 'green',
  deleted: 'red',
  conflicted: 'red',
  renamed: 'blue',
  copied: 'blue',
}

interface ChangesProps {
  readonly repository: Repository
  readonly status: Pick<Status, 'files' | 'total' | 'is_cut' | 'author' | 'operation'>
}

/** The uncommitted changes: to view, commit or discard. */
// oxlint-disable-next-line max-lines-per-function -- one form
export function Changes({ repository, status: { files, total, author, operation } }: ChangesProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<string>()
  const [discarding, setDiscarding] = useState<readonly ChangedFile[]>()
  const chosen = files.filter(({ path }) => !left.has(path))
  const box = useRef<HTMLDivElement>(null)
  const focus = () => box.current?.focus({ preventScroll: true }) // after the focused element is gone
  if (files.length === 0)
    return (
      <div ref={box} tabIndex={-1} className={classes.begun}>
        {operation === 'none' ? (
          <Empty title="No changes">All files are as in the last commit.</Empty>
        ) : (
          <>
            <Begun repository={repository} operation={operation} onEnded={focus} />
            {operation === 'merge' && (
              <CommitForm
                repository={repository}
                paths="all"
                count={0}
                author={author}
                isMerge
                onCommitted={focus}
              />
            )}
          </>
        )}
      </div>
    )
  const toggle = (path: string) =>
    setLeft(
      (before) => new Set(before.has(path) ? [...before].filter((each) => each !== path) : [...before, path]),
    )
  const isAll = chosen.length === files.length
  return (
    <div ref={box} tabIndex={-1} className={classes.begun}>
      {operation !== 'none' && <Begun repository={repository} operation={operation} onEnded={focus} />}
      <Group px="md" py={8} justify="space-between" gap="xs">
        <Checkbox
          size="xs"
          label={`${chosen.length} of ${files.length} chosen`}
          checked={isAll}
          indeterminate={!isAll && chosen.length > 0}
          onChange={() => setLeft(isAll ? new Set(files.map(({ path }) => path)) : new Set())}
        />
        <Button
          size="compact-sm"
          variant="default"
          c="var(--mantine-color-error)"
          disabled={chosen.length === 0}
          onClick={() => setDiscarding(chosen)}
        >
          Discard …
        </Button>
      </Group>
      <ul className={classes.list} aria-label="Changed files">
        {files.map((file) => (
          <li key={file.path}>
            <div className={classes.row}>
              <Checkbox
                size="xs"
                aria-label={`Choose ${shown(file.path)}`}
                checked={!left.has(file.path)}
                onChange={() => toggle(file.path)}
              />
              <Badge variant="light" color={colors[file.state] ?? 'orange'} tt="none" miw={92}>
                {file.state === 'untracked' ? 'New' : humanize(file.state)}
              </Badge>
              <div className={classes.text}>
                <button
                  type="button"
                  className={classes.open}
                  aria-expanded={open === file.path}
                  onClick={() => setOpen(open === file.path ? undefined : file.path)}
                >
                  {shown(file.path)}
                </button>
                {file.old_path && (
                  <Text size="xs" c="dimmed">
                    was {file.old_path}
                  </Text>
                )}
              </div>
              <ActionIcon
                title="Discard this change"
                variant="subtle"
                color="gray"
                aria-label={`Discard the change of ${shown(file.path)}`}
                onClick={() => setDiscarding([file])}
              >
                <IconArrowBackUp size={16} aria-hidden />
              </ActionIcon>
            </div>
            {open === file.path && <FileChange repository={repository} file={file} />}
          </li>
        ))}
      </ul>
      {total > files.length && (
        <Text size="sm" c="dimmed" px="md" py="xs">
          {total - files.length} more have changed; commit all to take them in.
        </Text>
      )}
      <CommitForm
        repository={repository}
        paths={isAll ? 'all' : chosen.map(({ path }) => path)}
        count={isAll ? total : chosen.length}
        author={author}
        isMerge={operation === 'merge'}
        onCommitted={focus}
      />
      {discarding && (
        <DiscardDialog
          repository={repository}
          files={discarding}
          onClose={() => setDiscarding(undefined)}
          onDone={focus}
        />
      )}
    </div>
  )
}

function FileChange({ repository, file }: { readonly repository: Repository; readonly file: ChangedFile }) {
  const diff = useFileDiff(repository, file.path)
  const parts = partsOfPatch(diff.data?.patch ?? '')
  return (
    <div className={classes.diff}>
      {diff.isPending && <Loading rows={2} />}
      {diff.error && <Failure error={diff.error} />}
      {diff.data && parts.length === 0 && (
        <Text size="sm" c="dimmed">
          {file.state === 'untracked' ? 'It is new: the next commit adds it.' : 'No lines to show.'}
        </Text>
      )}
      {parts.map((part) => (
        <Diff key={part.path} path={part.path} diff={part.diff} />
      ))}
    </div>
  )
}

interface CommitFormProps {
  readonly repository: Repository
  readonly paths: readonly string[] | 'all'
  readonly count: number
  readonly author: Status['author']
  /** The commit concludes a merge, so it may have no changes of its own. */
  readonly isMerge: boolean
  readonly onCommitted: () => void
}

function CommitForm({ repository, paths, count, author, isMerge, onCommitted }: CommitFormProps) {
  const [message, setMessage] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, setWorking] = useState(false)
  const call = vcsCalls.commit(repository, message, paths)
  const commit = async () => {
    setWorking(true)
    setFailure(undefined)
    await carryOut<{ readonly commit: string; readonly files: number }>(call).then(
      ({ commit: id, files }) => {
        setMessage('')
        notify(`Committed ${files} ${files === 1 ? 'file' : 'files'} as ${id.slice(0, 8)}.`)
        onCommitted()
      },
      setFailure,
    )
    setWorking(false)
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void commit()
      }}
    >
      <Textarea
        label="Commit message"
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={50_000}
      />
      {failure !== undefined && <Failure error={failure} />}
      <FormButtons
        submitLabel={
          count === 0 && isMerge ? 'Commit the merge' : `Commit ${count} ${count === 1 ? 'file' : 'files'}`
        }
        isSending={isWorking}
        isDisabled={message.trim() === '' || (count === 0 && !isMerge)}
        reviewed={{ call }}
      >
        <Text size="xs" c="dimmed">
          By {author.name} &lt;{author.email}&gt;
        </Text>
      </FormButtons>
    </form>
  )
}

interface DiscardDialogProps {
  readonly repository: Repository
  readonly files: readonly ChangedFile[]
  readonly onClose: () => void
  readonly onDone: () => void
}

function DiscardDialog({ repository, files, onClose, onDone }: DiscardDialogProps) {
  const what = files.length === 1 ? `the change of ${shown(files[0]?.path ?? '')}` : `${files.length} changes`
  const call = vcsCalls.discard(
    repository,
    files.map(({ path }) => path),
  )
  const done = async () => {
    onClose()
    notify(files.length === 1 ? 'The change was discarded.' : `${files.length} changes were discarded.`)
    await readAgain('vcs', 'files', 'trash')
    onDone()
  }
  return (
    <ChangeDialog
      title={`Discard ${what}`}
      confirmLabel="Discard"
      call={call}
      onClose={onClose}
      onDone={done}
    >
      <Text size="sm">The files are restored to the last commit. New ones are moved to the trash.</Text>
    </ChangeDialog>
  )
}
