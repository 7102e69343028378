import { Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { textOf } from '../../../../web/wire.ts'
import { calls, carryOut } from '../calls.ts'
import { shown } from '../names.ts'
import { useFocusOnce } from '../focus.ts'
import { joinPath } from '../paths.ts'
import { stands, type Whose } from '../queries.ts'
import { FolderTree } from '../tree/FolderTree.tsx'

interface FolderPickerProps {
  readonly whose: Whose
  readonly path: string
  /** The list shows hidden files; the tree then does so at first, too. */
  readonly showHidden: boolean
  readonly onChoose: (path: string) => void
}

const isHidden = (path: string): boolean => path.split('/').some((name) => name.startsWith('.'))

/** Picks a folder from the tree or by path, and creates it if it is missing. */
export function FolderPicker({ whose, path, showHidden, onChoose }: FolderPickerProps) {
  const [withHidden, setWithHidden] = useState(showHidden)
  const chosen = path === '' ? 'Home' : shown(path)
  return (
    <Paper withBorder radius="md" style={{ overflow: 'hidden' }}>
      <div style={{ maxHeight: 300, overflow: 'auto' }}>
        <FolderTree
          whose={whose}
          path={path}
          label="Folders to choose from"
          showHidden={withHidden || isHidden(path)}
          onChoose={onChoose}
          takesFocus
        />
      </div>
      <Stack
        p="xs"
        gap="xs"
        style={{ borderTop: '1px solid var(--panel-line)', background: 'var(--panel-sunken)' }}
      >
        <Group gap="xs" justify="space-between">
          <Text size="xs" c="dimmed" className="anywhere" aria-live="polite">
            Chosen: {chosen}
          </Text>
          <NewFolder whose={whose} parent={path} onMade={onChoose} />
        </Group>
        <Group gap="xs" justify="space-between" align="flex-start">
          <PathField whose={whose} onFound={onChoose} />
          <Checkbox
            size="xs"
            mt={7}
            label="Hidden folders"
            checked={withHidden || isHidden(path)}
            disabled={isHidden(path)}
            onChange={(event) => setWithHidden(event.currentTarget.checked)}
          />
        </Group>
      </Stack>
    </Paper>
  )
}

/** A field for the path of a folder, because the tree loads only some of very many folders. */
function PathField({ whose, onFound }: { readonly whose: Whose; readonly onFound: (path: string) => void }) {
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const look = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const path = joinPath(typed, '')
    setFailure(undefined)
    const found = path === '' ? Promise.resolve({ type: 'folder' }) : stands(whose, path)
    found.then(
      (stat) =>
        stat?.type === 'folder' ? onFound(path) : setFailure(stat ? 'Not a directory' : 'No such folder'),
      (error: unknown) => setFailure(textOf(error)),
    )
  }
  return (
    <form onSubmit={look}>
      <Group gap={6} align="flex-start">
        <TextInput
          size="xs"
          aria-label="Path of a folder"
          placeholder="Path of a folder"
          value={typed}
          error={failure}
          maxLength={4096}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" disabled={typed.trim() === ''}>
          Go to it
        </Button>
      </Group>
    </form>
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
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconFolderPlus size={14} aria-hidden />}
      onClick={() => setOpen(true)}
    >
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
      (error: unknown) => setFailure(textOf(error)),
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
