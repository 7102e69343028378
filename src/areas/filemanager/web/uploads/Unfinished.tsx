import { ActionIcon, Affix, Button, FileButton, Modal, Paper, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, useState, useSyncExternalStore } from 'react'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { formatBytes } from '../../../../web/kit/format.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { textOf } from '../../../../web/wire.ts'
import { downloads } from '../downloads.ts'
import { fileJobs } from '../jobs/file-jobs.ts'
import { pathFrom, shown } from '../names.ts'
import { nameOf, parentOf } from '../paths.ts'
import { type PartialUpload, useOpenUploads } from '../queries.ts'
import { cancelUpload } from './parts.ts'
import { uploads } from './queue.ts'
import classes from './dock.module.css'

/** Uploads that were interrupted by a page reload; they resume when the same file is chosen again. */
export function Unfinished() {
  const sendings = useSyncExternalStore(uploads.subscribe, uploads.sendings)
  const coming = useSyncExternalStore(downloads.subscribe, downloads.all)
  const jobs = useSyncExternalStore(fileJobs.subscribe, fileJobs.all)
  const [isHidden, setHidden] = useState(false)
  const [discarding, setDiscarding] = useState<PartialUpload>()
  const hide = useRef<HTMLButtonElement>(null)
  const left = useOpenUploads().data?.filter(({ id }) => !uploads.isBusyWith(id)) ?? []
  // the transfer dock occupies the corner
  const isTaken = sendings.length + coming.length + jobs.filter(({ isShown }) => isShown).length > 0
  if (left.length === 0 || isHidden || isTaken) return null
  return (
    <Affix position={{ bottom: 'calc(16px + var(--notices, 0px))', right: 16 }} zIndex={190}>
      <Paper
        withBorder
        radius="lg"
        shadow="md"
        className={classes.dock}
        component="section"
        aria-label="Incomplete uploads"
      >
        <div className={classes.row}>
          <Text size="sm" fw={600} className={classes.text}>
            {left.length === 1 ? '1 incomplete upload' : `${left.length} incomplete uploads`}
          </Text>
          <ActionIcon
            ref={hide}
            variant="subtle"
            color="gray"
            aria-label="Hide the incomplete uploads"
            onClick={() => setHidden(true)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
        <ul className={classes.list}>
          {left.map((upload) => (
            <LeftUpload key={upload.id} upload={upload} onDiscard={() => setDiscarding(upload)} />
          ))}
        </ul>
      </Paper>
      {discarding && (
        <DiscardDialog
          upload={discarding}
          onClose={() => setDiscarding(undefined)}
          onDone={() => {
            setDiscarding(undefined)
            const next = left.length > 1 ? hide.current : document.querySelector<HTMLElement>('#content')
            next?.focus({ preventScroll: true })
          }}
        />
      )}
    </Affix>
  )
}

function LeftUpload({
  upload,
  onDiscard,
}: {
  readonly upload: PartialUpload
  readonly onDiscard: () => void
}) {
  const path = pathFrom(upload.path, upload.path_b64)
  const goOn = (file: File | null) => {
    if (file === null) return
    if (file.size !== upload.size_bytes || file.name !== nameOf(path))
      return notify(
        `This file differs from ${shown(nameOf(path))} of ${formatBytes(upload.size_bytes)}.`,
        true,
      )
    uploads.add({ username: upload.username }, [{ file, folder: parentOf(path) }])
  }
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Text size="sm" truncate title={shown(path)}>
          {shown(nameOf(path))}
        </Text>
        <Text size="xs" c="dimmed">
          {formatBytes(upload.offset_bytes)} of {formatBytes(upload.size_bytes)} are here. Choose the same
          file again.
        </Text>
      </div>
      <FileButton onChange={goOn} inputProps={{ 'aria-label': `Resume ${shown(path)}` }}>
        {(props) => (
          <Button {...props} size="compact-xs" variant="default">
            Resume
          </Button>
        )}
      </FileButton>
      <Button size="compact-xs" variant="default" onClick={onDiscard} aria-label={`Discard ${shown(path)}`}>
        Discard
      </Button>
    </li>
  )
}

interface DiscardDialogProps {
  readonly upload: PartialUpload
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks before the received parts are discarded. */
function DiscardDialog({ upload, onClose, onDone }: DiscardDialogProps) {
  const [isWorking, setWorking] = useState(false)
  const path = pathFrom(upload.path, upload.path_b64)
  const discard = async () => {
    setWorking(true)
    await cancelUpload(upload.id).catch((error: unknown) => notify(textOf(error), true))
    await readAgain('uploads')
    onDone()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Discard an incomplete upload"
      closeButtonProps={{ 'aria-label': 'Close' }}
      zIndex={300}
    >
      <Text size="sm" mb="md" className="anywhere">
        {formatBytes(upload.offset_bytes)} of {formatBytes(upload.size_bytes)} of <b>{shown(path)}</b> are
        here. They are thrown away for good, and the upload would begin anew.
      </Text>
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep them
        </Button>
        <Button color="red.9" loading={isWorking} onClick={() => void discard()}>
          Discard
        </Button>
      </DialogFooter>
    </Modal>
  )
}
