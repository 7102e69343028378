import { Button, Group, Paper, Text, TextInput } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { wordsOf } from '../../../../web/wire.ts'
import { calls, carryOut } from '../calls.ts'
import { shown } from '../names.ts'
import { useFocusOnce } from '../focus.ts'
import { joinPath } from '../paths.ts'
import type { Whose } from '../queries.ts'
import { FolderTree } from '../tree/FolderTree.tsx'

interface FolderPickerProps {
  readonly whose: Whose
  readonly path: string
  readonly onChoose: (path: string) => void
}

/** A folder to choose, or to make where it is missing. */
export function FolderPicker({ whose, path, onChoose }: FolderPickerProps) {
  return (
    <Paper withBorder radius="md" style={{ overflow: 'hidden' }}>
      <div style={{ maxHeight: 300, overflow: 'auto' }}>
        <FolderTree whose={whose} path={path} label="Folders to choose from" showHidden={false} onChoose={onChoose} takesFocus />
      </div>
      <Group p="xs" gap="xs" justify="space-between" style={{ borderTop: '1px solid var(--panel-line)', background: 'var(--panel-sunken)' }}>
        <Text size="xs" c="dimmed" className="anywhere" aria-live="polite">
          Chosen: {path === '' ? 'Home' : shown(path)}
        </Text>
        <NewFolder whose={whose} parent={path} onMade={onChoose} />
      </Group>
    </Paper>
  )
}

interface NewFolderProps {
  readonly whose: Whose
  readonly parent: string
  readonly onMade: (path: string) => void
}

function NewFolder(props: NewFolderProps) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <NewFolderForm {...props} onMade={(path) => (setOpen(false), props.onMade(path))} />
  return (
    <Button size="compact-xs" variant="default" leftSection={<IconFolderPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
      New folder in it
    </Button>
  )
}

function NewFolderForm({ whose, parent, onMade }: NewFolderProps) {
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<string>()
  const field = useFocusOnce<HTMLInputElement>()
  const make = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const path = joinPath(parent, name)
    if (name.trim() === '') return
    carryOut(calls.mkdir(whose, path)).then(
      () => onMade(path),
      (error: unknown) => setFailure(wordsOf(error)),
    )
  }
  return (
    <form onSubmit={make}>
      <Group gap={6} align="flex-start">
        <TextInput
          size="xs"
          ref={field}
          aria-label="Name of the new folder"
          value={name}
          error={failure}
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Make
        </Button>
      </Group>
    </form>
  )
}
