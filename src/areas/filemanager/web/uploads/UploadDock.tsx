import { ActionIcon, Affix, Button, Group, Paper, Text } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Download, downloads } from '../downloads.ts'
import { fileJobs } from '../jobs/file-jobs.ts'
import { FileJobRow } from '../jobs/FileJobRow.tsx'
import { titleOf } from './dock-title.ts'
import { type Sending, uploads } from './queue.ts'
import { TransferButton, TransferRow } from './TransferRow.tsx'
import classes from './dock.module.css'

const mostRows = 200

/** The transfers in a corner of every page: their progress, with buttons that pause and resume them. */
export function UploadDock() {
  const sendings = useSyncExternalStore(uploads.subscribe, uploads.sendings)
  const coming = useSyncExternalStore(downloads.subscribe, downloads.all)
  const [isOpen, setOpen] = useState(true)
  const jobs = useSyncExternalStore(fileJobs.subscribe, fileJobs.all).filter(({ isShown }) => isShown)
  useWarning(
    sendings.some(({ state }) => state === 'waiting' || state === 'sending') || coming.some(isComing),
  )
  if (sendings.length + coming.length + jobs.length === 0) return null
  const isOver =
    sendings.some(({ state }) => state === 'done' || state === 'skipped') ||
    coming.some((download) => !isComing(download)) ||
    jobs.some(({ state }) => state === 'failed')
  const tidy = () => {
    uploads.tidy()
    downloads.tidy()
    fileJobs.tidy()
  }
  return (
    <Affix position={{ bottom: 'calc(16px + var(--notices, 0px))', right: 16 }} zIndex={190}>
      <Paper
        withBorder
        radius="lg"
        shadow="md"
        className={classes.dock}
        component="section"
        aria-label="Transfers"
      >
        <Group justify="space-between" wrap="nowrap" px="sm" py={8}>
          <Text size="sm" fw={600} role="status">
            {titleOf({ sendings, coming, jobs })}
          </Text>
          <Group gap={4} wrap="nowrap">
            {isOver && (
              <Button size="compact-xs" variant="default" onClick={tidy}>
                Clear
              </Button>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-expanded={isOpen}
              aria-label={isOpen ? 'Fold the transfers' : 'Unfold the transfers'}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
            </ActionIcon>
          </Group>
        </Group>
        {isOpen && (
          <ul className={classes.list} tabIndex={0} aria-label="Files in transfer">
            {jobs.slice(0, mostRows).map((job) => (
              <FileJobRow key={`job ${job.key}`} job={job} />
            ))}
            {coming.slice(0, mostRows).map((download) => (
              <Coming key={`down ${download.key}`} download={download} />
            ))}
            {sendings.slice(0, mostRows).map((sending) => (
              <Going key={`up ${sending.key}`} sending={sending} />
            ))}
          </ul>
        )}
      </Paper>
    </Affix>
  )
}

function Going({ sending: { key, file, state, sent, failure, trouble } }: { readonly sending: Sending }) {
  const isOver = state === 'done' || state === 'skipped'
  const text = {
    waiting: 'Waiting',
    sending: trouble || 'Uploading',
    paused: 'Paused',
    failed: failure ?? 'Failed',
    done: 'Uploaded',
    skipped: 'Skipped',
  }
  return (
    <TransferRow way="up" name={file.name} text={text[state]} moved={sent} size={file.size} state={state}>
      {(state === 'sending' || state === 'waiting') && (
        <TransferButton
          label={`Pause ${file.name}`}
          Icon={IconPlayerPause}
          onClick={() => uploads.pause(key)}
        />
      )}
      {state === 'paused' && (
        <TransferButton
          label={`Resume ${file.name}`}
          Icon={IconPlayerPlay}
          onClick={() => uploads.resume(key)}
        />
      )}
      {state === 'failed' && (
        <TransferButton
          label={`Try ${file.name} again`}
          Icon={IconRefresh}
          onClick={() => uploads.resume(key)}
        />
      )}
      <TransferButton
        label={isOver ? `Dismiss ${file.name}` : `Cancel ${file.name}`}
        Icon={IconX}
        onClick={() => uploads.drop(key)}
      />
    </TransferRow>
  )
}

const isComing = ({ state }: Download): boolean => state === 'waiting' || state === 'coming'

function Coming({ download }: { readonly download: Download }) {
  const { key, name, got, size, state, failure, isHeld } = download
  const coming = isHeld ? 'Downloading to memory until complete' : 'Downloading'
  const text = { waiting: 'Waiting', coming, done: 'Downloaded', failed: failure || 'Failed' }
  return (
    <TransferRow
      way="down"
      name={name}
      text={text[state]}
      moved={got}
      size={size}
      state={state === 'coming' ? 'sending' : state}
    >
      {state === 'failed' && (
        <TransferButton
          label={`Try ${name} again`}
          Icon={IconRefresh}
          onClick={() => void downloads.again(key)}
        />
      )}
      <TransferButton
        label={isComing(download) ? `Cancel ${name}` : `Dismiss ${name}`}
        Icon={IconX}
        onClick={() => downloads.drop(key)}
      />
    </TransferRow>
  )
}

/** Makes the browser ask before the tab is closed during transfers. */
function useWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
