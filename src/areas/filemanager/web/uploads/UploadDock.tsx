import { ActionIcon, Affix, Button, Group, Paper, Progress, Text } from '@mantine/core'
import { IconCheck, IconChevronDown, IconChevronUp, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { formatBytes } from '../../../../web/kit/format.ts'
import { useOpenUploads } from '../queries.ts'
import { type Sending, uploads } from './queue.ts'
import { Unfinished } from './Unfinished.tsx'
import classes from './dock.module.css'

/** Files on their way, in a corner of the page: how far each is, and ways to stop it and go on. */
export function UploadDock() {
  const sendings = useSyncExternalStore(uploads.subscribe, uploads.sendings)
  const [isOpen, setOpen] = useState(true)
  const open = sendings.filter(({ state }) => state === 'waiting' || state === 'sending')
  useWarning(open.length > 0)
  const left = useOpenUploads().data?.filter(({ id }) => !uploads.isBusyWith(id)) ?? []
  if (sendings.length === 0) return <Unfinished left={left} />
  const sent = sendings.reduce((sum, each) => sum + each.sent, 0)
  const size = sendings.reduce((sum, { file }) => sum + file.size, 0)
  const failed = sendings.filter(({ state }) => state === 'failed').length
  const isPaused = sendings.some(({ state }) => state === 'paused')
  const title =
    open.length > 0
      ? `Uploading ${open.length} of ${sendings.length}`
      : failed > 0
        ? `${failed} failed`
        : isPaused
          ? 'Uploads are paused'
          : 'Uploads are over'
  return (
    <Affix position={{ bottom: 16, right: 16 }} zIndex={190}>
      <Paper withBorder radius="lg" shadow="md" className={classes.dock} component="section" aria-label="Uploads">
        <Group justify="space-between" wrap="nowrap" px="sm" py={8}>
          <div>
            <Text size="sm" fw={600} role="status">
              {title}
            </Text>
            <Text size="xs" c="dimmed">
              {formatBytes(sent)} of {formatBytes(size)}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            {open.length < sendings.length && (
              <Button size="compact-xs" variant="default" onClick={() => uploads.tidy()}>
                Clear
              </Button>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-expanded={isOpen}
              aria-label={isOpen ? 'Fold the uploads' : 'Unfold the uploads'}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
            </ActionIcon>
          </Group>
        </Group>
        <Progress.Root size={3} radius={0}>
          <Progress.Section value={size === 0 ? 100 : (sent / size) * 100} aria-label="How far all uploads are" />
        </Progress.Root>
        {isOpen && (
          <ul className={classes.list} tabIndex={0} aria-label="Files that are uploaded">
            {sendings.slice(0, 200).map((sending) => (
              <SendingRow key={sending.key} sending={sending} />
            ))}
          </ul>
        )}
      </Paper>
    </Affix>
  )
}

function SendingRow({ sending: { key, file, state, sent, failure } }: { readonly sending: Sending }) {
  const percent = file.size === 0 ? 100 : (sent / file.size) * 100
  const words = {
    waiting: 'Waiting',
    sending: `${Math.floor(percent)} %`,
    paused: 'Paused',
    failed: failure ?? 'Failed',
    done: 'Done',
    skipped: 'Left out',
  }
  const isOver = state === 'done' || state === 'skipped'
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Text size="sm" truncate title={file.name}>
          {file.name}
        </Text>
        <Text size="xs" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'} className="anywhere">
          {words[state]} · {formatBytes(file.size)}
        </Text>
        {(state === 'sending' || state === 'paused') && (
          <Progress.Root size={4} mt={4}>
            <Progress.Section value={percent} color={state === 'paused' ? 'gray' : 'indigo'} aria-label={`Upload of ${file.name}`} />
          </Progress.Root>
        )}
      </div>
      {state === 'done' && <IconCheck size={18} aria-hidden className={classes.done} />}
      {(state === 'sending' || state === 'waiting') && (
        <RowButton label={`Pause ${file.name}`} Icon={IconPlayerPause} onClick={() => uploads.pause(key)} />
      )}
      {state === 'paused' && <RowButton label={`Resume ${file.name}`} Icon={IconPlayerPlay} onClick={() => uploads.resume(key)} />}
      {state === 'failed' && <RowButton label={`Try ${file.name} again`} Icon={IconRefresh} onClick={() => uploads.resume(key)} />}
      <RowButton label={isOver ? `Dismiss ${file.name}` : `Cancel ${file.name}`} Icon={IconX} onClick={() => uploads.drop(key)} />
    </li>
  )
}

function RowButton({ label, Icon, onClick }: { readonly label: string; readonly Icon: typeof IconX; readonly onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}

/** The browser asks before the tab is closed while files are on their way. */
function useWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
