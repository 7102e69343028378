import { Alert, Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { formatBytes } from '../../../web/kit/format.ts'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { ApiError } from '../../../web/wire.ts'
import { useFile, writeFile } from './queries.ts'
import { usePlace } from './whose.ts'

/** A text file, to be read and changed. */
export function EditFilePage() {
  const { whose, path, search } = usePlace()
  const file = useFile(whose, path)
  const folder = path.split('/').slice(0, -1).join('/')
  const back = (
    <LinkButton to="/files" search={{ ...search, path: folder }} variant="default">
      Back to the folder
    </LinkButton>
  )
  const name = path.split('/').at(-1) ?? path
  const isText = file.data?.encoding === 'utf-8' && !file.data.is_cut
  return (
    <Page title={name} about={file.data ? `${path} · ${formatBytes(file.data.size_bytes)}` : path} actions={back}>
      {file.error && <Failure error={file.error} onRetry={() => void file.refetch()} />}
      {file.isPending && <Loading rows={6} />}
      {file.data && !isText && (
        <Empty title="This file cannot be edited here">
          {file.data.is_cut ? 'It is larger than 1 MiB.' : 'It is not text.'} Download it from its folder.
        </Empty>
      )}
      {file.data && isText && (
        <Editor
          key={file.dataUpdatedAt}
          first={file.data}
          onSave={(content, etag) => writeFile(whose, { path, content, if_match: etag })}
          onReload={() => file.refetch()}
        />
      )}
    </Page>
  )
}

interface EditorProps {
  readonly first: { readonly content: string; readonly etag: string }
  readonly onSave: (content: string, etag: string) => Promise<{ readonly etag: string }>
  readonly onReload: () => unknown
}

function Editor({ first, onSave, onReload }: EditorProps) {
  const [content, setContent] = useState(first.content)
  const [kept, setKept] = useState(first)
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const isConflict = failure instanceof ApiError && failure.code === 'conflict'
  const save = async () => {
    setSaving(true)
    setFailure(undefined)
    await onSave(content, kept.etag)
      .then(({ etag }) => {
        setKept({ content, etag })
        notify('The file was saved.')
      })
      .catch(setFailure)
    setSaving(false)
  }
  return (
    <>
      {isConflict && (
        <Alert color="orange" title="The file was changed meanwhile" role="alert">
          Somebody else saved it since you opened it. Copy what you wrote, then load the file again.
          <Group mt="sm">
            <Button size="xs" variant="default" onClick={() => void onReload()}>
              Load it again, without my changes
            </Button>
          </Group>
        </Alert>
      )}
      {failure !== undefined && !isConflict && <Failure error={failure} />}
      <Textarea
        aria-label="Content of the file"
        autosize
        minRows={16}
        maxRows={36}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, lineHeight: 1.6 } }}
      />
      <Group justify="flex-end">
        <Button loading={isSaving} disabled={content === kept.content} onClick={() => void save()}>
          Save
        </Button>
      </Group>
    </>
  )
}
