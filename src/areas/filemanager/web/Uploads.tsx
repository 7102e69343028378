import { Button, FileButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { readAgain } from '../../../web/queries.ts'
import { wordsOf } from '../../../web/wire.ts'
import type { Whose } from './queries.ts'
import { uploadFile } from './upload.ts'

interface Sending {
  readonly key: string
  readonly name: string
  readonly percent: number
  readonly failure?: string
  readonly cancel: () => void
}

/** Takes files, by choosing or dropping, and shows how far each is. */
export function Uploads({ whose, folder }: { readonly whose: Whose; readonly folder: string }) {
  const [sendings, setSendings] = useState<readonly Sending[]>([])
  const change = (key: string, next: Partial<Sending> | undefined) =>
    setSendings((all) => all.flatMap((each) => (each.key !== key ? [each] : next ? [{ ...each, ...next }] : [])))
  const send = async (file: File) => {
    const key = `${file.name} ${performance.now()}`
    const ending = new AbortController()
    setSendings((all) => [...all, { key, name: file.name, percent: 0, cancel: () => ending.abort() }])
    await uploadFile({ whose, folder, file, onProgress: (percent) => change(key, { percent }), signal: ending.signal })
      .then(() => change(key, undefined))
      .catch((error: unknown) => change(key, { failure: wordsOf(error), cancel: () => change(key, undefined) }))
  }
  const sendAll = async (files: readonly File[]) => {
    for (const file of files) await send(file)
    await readAgain('files')
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void sendAll([...event.dataTransfer.files])
  }
  return (
    <Paper withBorder radius="lg" p="sm" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Drop files here, or choose them.
        </Text>
        <FileButton multiple onChange={(files) => void sendAll(files)} inputProps={{ 'aria-label': 'Files to upload' }}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
              Upload
            </Button>
          )}
        </FileButton>
      </Group>
      <Stack gap="xs" aria-live="polite">
        {sendings.map((sending) => (
          <SendingRow key={sending.key} sending={sending} />
        ))}
      </Stack>
    </Paper>
  )
}

function SendingRow({ sending }: { readonly sending: Sending }) {
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mt="xs">
        <Text size="sm" className="anywhere">
          {sending.name}{' '}
          {sending.failure && (
            <Text span c="var(--mantine-color-error)" size="sm">
              {sending.failure}
            </Text>
          )}
        </Text>
        <Button size="compact-xs" variant="default" onClick={sending.cancel} aria-label={`${sending.failure ? 'Dismiss' : 'Cancel'} ${sending.name}`}>
          {sending.failure ? 'Dismiss' : 'Cancel'}
        </Button>
      </Group>
      {!sending.failure && (
        <Progress.Root mt={4}>
          <Progress.Section value={sending.percent} aria-label={`Upload of ${sending.name}`} />
        </Progress.Root>
      )}
    </div>
  )
}
