import { ActionIcon, Affix, Button, FileButton, Paper, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { formatBytes } from '../../../../web/kit/format.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { wordsOf } from '../../../../web/wire.ts'
import { pathFrom, shown } from '../names.ts'
import { nameOf, parentOf } from '../paths.ts'
import type { PartialUpload } from '../queries.ts'
import { cancelUpload } from './parts.ts'
import { uploads } from './queue.ts'
import classes from './dock.module.css'

/** Uploads that were begun before the page was loaded: with the same file they go on where they were. */
export function Unfinished({ left }: { readonly left: readonly PartialUpload[] }) {
  const [isHidden, setHidden] = useState(false)
  if (left.length === 0 || isHidden) return null
  const goOn = (upload: PartialUpload, file: File | null) => {
    if (file === null) return
    const path = pathFrom(upload.path, upload.path_b64)
    if (file.size !== upload.size_bytes || file.name !== nameOf(path))
      return notify(`This is another file than ${shown(nameOf(path))} of ${formatBytes(upload.size_bytes)}.`, true)
    uploads.add({ username: upload.username }, [{ file, folder: parentOf(path) }])
  }
  const discard = ({ id }: PartialUpload) =>
    void cancelUpload(id)
      .catch((error: unknown) => notify(wordsOf(error), true))
      .finally(() => readAgain('uploads'))
  return (
    <Affix position={{ bottom: 16, right: 16 }} zIndex={190}>
      <Paper withBorder radius="lg" shadow="md" className={classes.dock} component="section" aria-label="Unfinished uploads">
        <div className={classes.row}>
          <Text size="sm" fw={600} className={classes.text}>
            {left.length === 1 ? 'An upload was not finished' : `${left.length} uploads were not finished`}
          </Text>
          <ActionIcon variant="subtle" color="gray" aria-label="Hide the unfinished uploads" onClick={() => setHidden(true)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
        <ul className={classes.list}>
          {left.map((upload) => (
            <li key={upload.id} className={classes.row}>
              <div className={classes.text}>
                <Text size="sm" truncate title={shown(pathFrom(upload.path, upload.path_b64))}>
                  {shown(nameOf(pathFrom(upload.path, upload.path_b64)))}
                </Text>
                <Text size="xs" c="dimmed">
                  {formatBytes(upload.offset_bytes)} of {formatBytes(upload.size_bytes)} are here. Choose the same file again.
                </Text>
              </div>
              <FileButton onChange={(file) => goOn(upload, file)} inputProps={{ 'aria-label': `Go on with ${upload.path}` }}>
                {(props) => (
                  <Button {...props} size="compact-xs" variant="default">
                    Go on
                  </Button>
                )}
              </FileButton>
              <Button size="compact-xs" variant="default" onClick={() => discard(upload)} aria-label={`Discard ${upload.path}`}>
                Discard
              </Button>
            </li>
          ))}
        </ul>
      </Paper>
    </Affix>
  )
}
