import { Button, Group, Modal, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../../../web/kit/notices.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { calls, carryOut } from '../calls.ts'
import { isOdd } from '../names.ts'
import { joinPath, parentOf, splitName } from '../paths.ts'
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

/** Packs what was chosen into an archive beside it. */
export function CompressDialog({ items, whose, onClose }: CompressDialogProps) {
  const [name, setName] = useState(() => firstName(items))
  const [format, setFormat] = useState('.zip')
  const [failure, setFailure] = useState<unknown>()
  const [work, setWork] = useState<AbortController>()
  const folder = parentOf(items[0]?.path ?? '')
  const pack = async () => {
    const ending = new AbortController()
    setWork(ending)
    setFailure(undefined)
    await compress(whose, items, { folder, name: name + format }, ending.signal).then((archive) => {
      notify(`${archive} was made.`)
      onClose()
    }, setFailure)
    setWork(undefined)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={items.length === 1 ? `Compress ${items[0]?.label}` : `Compress ${items.length} entries`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={!work}
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
          <NativeSelect label="Format" data={formats} value={format} onChange={(event) => setFormat(event.currentTarget.value)} />
          {work && <Progress value={100} animated aria-label="The archive is being made" />}
          {failure !== undefined && <Failure error={failure} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => (work ? work.abort() : onClose())}>
              {work ? 'Stop' : 'Cancel'}
            </Button>
            <Button type="submit" loading={work !== undefined} disabled={name.trim() === '' || name.includes('/')}>
              Compress
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** The panel makes archives at the top of the home; from there it goes beside what it holds. */
async function compress(
  whose: Whose,
  items: readonly Item[],
  to: { readonly folder: string; readonly name: string },
  signal: AbortSignal,
): Promise<string> {
  const { archive } = await carryOut<{ readonly archive: string }>(
    calls.compress(
      whose,
      items.map(({ path }) => path),
      to.name,
    ),
    signal,
  )
  if (to.folder !== '') await carryOut(calls.move(whose, archive, joinPath(to.folder, archive)))
  return archive
}

function firstName(items: readonly Item[]): string {
  const [first] = items
  if (items.length !== 1 || first === undefined || isOdd(first.name)) return 'archive'
  return first.type === 'folder' ? first.name : splitName(first.name).stem
}
