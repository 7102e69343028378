import { Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { run } from '../../../../web/client.ts'
import { FormButtons } from '../../../../web/kit/FormButtons.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { calls } from '../calls.ts'
import { fileJobs } from '../jobs/file-jobs.ts'
import { isOdd } from '../names.ts'
import { parentOf, splitName } from '../paths.ts'
import type { Item, Whose } from '../queries.ts'

const formats = [
  { value: '.zip', label: 'zip: opens everywhere' },
  { value: '.tar.gz', label: 'tar.gz: keeps modes and links' },
  { value: '.tar.zst', label: 'tar.zst: keeps modes, fast' },
  { value: '.tar.xz', label: 'tar.xz: keeps modes, small and slow' },
  { value: '.tar', label: 'tar: not compressed' },
  { value: '.7z', label: '7z: where 7-Zip is installed' },
]

interface CompressDialogProps {
  readonly items: readonly Item[]
  readonly whose: Whose
  readonly onClose: () => void
}

/** Compresses the selected entries into an archive in the same folder. */
export function CompressDialog({ items, whose, onClose }: CompressDialogProps) {
  const [name, setName] = useState(() => firstName(items))
  const [format, setFormat] = useState('.zip')
  const [failure, setFailure] = useState<unknown>()
  const [isAsking, setAsking] = useState(false)
  const folder = parentOf(items[0]?.path ?? '')
  const call = calls.compress(
    whose,
    items.map(({ path }) => path),
    folder,
    name.trim() + format,
  )
  const pack = async () => {
    setAsking(true)
    setFailure(undefined)
    await run(call).then(({ job_id: jobId }) => {
      void fileJobs.follow({ jobId, verb: 'pack', name: name.trim() + format, count: items.length })
      onClose()
    }, setFailure)
    setAsking(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={items.length === 1 ? `Compress ${items[0]?.label}` : `Compress ${items.length} entries`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void pack()
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name of the archive"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            data-autofocus
            required
            rightSection={<Text size="xs">{format}</Text>}
            rightSectionWidth={72}
          />
          <NativeSelect
            label="Format"
            data={formats}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
          />
          {failure !== undefined && <Failure error={failure} />}
          <FormButtons
            submitLabel="Compress"
            isSending={isAsking}
            isDisabled={name.trim() === '' || name.includes('/')}
            reviewed={{ call }}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}

function firstName(items: readonly Item[]): string {
  const [first] = items
  if (items.length !== 1 || first === undefined || isOdd(first.name)) return 'archive'
  return first.type === 'folder' ? first.name : splitName(first.name).stem
}
