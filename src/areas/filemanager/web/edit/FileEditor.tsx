import { Alert, Badge, Button, Group, Paper, Text } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { CodeEditor } from '../../../../web/kit/CodeEditor.tsx'
import { languageOfFile } from '../../../../web/kit/code/language-of-file.ts'
import { humanize } from '../../../../web/kit/format.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { isSignedOut } from '../../../../web/session.ts'
import { ApiError } from '../../../../web/wire.ts'
import { useMe } from '../../../auth/web/queries.ts'
import { calls, carryOut } from '../calls.ts'
import type { Whose } from '../queries.ts'
import { canWrite, type Encoding, encodingNames, lineEndsOf } from './encoding.ts'
import { keepDraft, takeDraft } from './drafts.ts'
import { SaveConflict } from './SaveConflict.tsx'
import { UnsavedDialog } from './UnsavedDialog.tsx'

interface FileEditorProps {
  readonly whose: Whose
  readonly path: string
  readonly first: { readonly text: string; readonly encoding: Encoding; readonly etag: string }
  /** The line to show first. */
  readonly line: number | undefined
  readonly isLocked: boolean
  readonly onReload: () => void
}

/** An editor for a text file. It does not overwrite changes of others unless the reader decides so. */
export function FileEditor({ whose, path, first, line, isLocked, onReload }: FileEditorProps) {
  const me = useMe().data?.id
  const name = JSON.stringify([me, whose, path])
  const [draft] = useState(() => takeDraft(name))
  const [text, setText] = useState(draft?.text ?? first.text)
  const [kept, setKept] = useState(draft?.kept ?? first)
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [goTo] = useState(line === undefined ? undefined : { line })
  const isChanged = text !== kept.text
  const isConflict = failure instanceof ApiError && failure.code === 'conflict'
  const keep = useEffectEvent(() => {
    if (isChanged && isSignedOut()) keepDraft(name, { text, kept })
  })
  useEffect(() => () => keep(), [])
  const save = async (etag: string) => {
    const encoding = canWrite(text, kept.encoding) ? kept.encoding : 'utf-8'
    setSaving(true)
    setFailure(undefined)
    await carryOut<{ readonly etag: string }>(
      calls.write(whose, path, text, { ifMatch: etag, encoding }),
    ).then((reply) => {
      setKept({ text, etag: reply.etag, encoding })
      notify(
        encoding !== kept.encoding
          ? `The file was saved as UTF-8: ${encodingNames[kept.encoding]} cannot write all of its characters.`
          : 'The file was saved.',
      )
    }, setFailure)
    setSaving(false)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    if (isChanged && !isSaving && !isLocked) void save(kept.etag)
  }
  return (
    <Paper withBorder radius="lg" p="md" onKeyDown={keys}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Group gap={6}>
          <Badge title="Character encoding" variant="light" color="gray" tt="none">
            {encodingNames[kept.encoding]}
          </Badge>
          <Badge variant="light" color="gray" tt="none">
            {lineEndsOf(text)}
          </Badge>
          <Badge variant="light" color="gray" tt="none">
            {languageOfFile(path) === 'plain' ? 'Plain text' : humanize(languageOfFile(path))}
          </Badge>
          <Text size="xs" c="dimmed" role="status">
            {isChanged ? 'Unsaved' : 'Saved'}
          </Text>
        </Group>
        <Button
          leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          loading={isSaving}
          disabled={!isChanged || isLocked}
          onClick={() => void save(kept.etag)}
        >
          Save
        </Button>
      </Group>
      {draft && isChanged && (
        <Alert color="indigo" mb="sm" p="xs">
          Your session ended before this was saved. Your text is restored below.
        </Alert>
      )}
      {failure !== undefined && !isConflict && <Failure error={failure} />}
      <CodeEditor
        value={text}
        onChange={setText}
        readOnly={isLocked}
        label="Content of the file"
        language={languageOfFile(path)}
        goTo={goTo}
        fillsPage
      />
      {isConflict && (
        <SaveConflict
          whose={whose}
          path={path}
          mine={text}
          onOverwrite={(etag) => void save(etag)}
          onReload={() => {
            setText(kept.text)
            onReload()
          }}
          onClose={() => setFailure(undefined)}
        />
      )}
      <UnsavedDialog isNeeded={isChanged} />
    </Paper>
  )
}
