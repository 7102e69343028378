import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CodeEditor } from '../../../web/kit/CodeEditor.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { UnsavedGuard } from '../../../web/kit/UnsavedGuard.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { dnslb } from './api.ts'
import { DnslbFrame } from './DnslbFrame.tsx'
import { done, useConfig } from './queries.ts'

/** The configuration of dnsdist as text; superusers edit it. */
export function ConfigPage() {
  const config = useConfig()
  return (
    <DnslbFrame>
      {config.error && !config.data && <Failure error={config.error} onRetry={() => void config.refetch()} />}
      {config.isPending && <Loading rows={8} />}
      {config.data && (
        <Editor first={config.data.config} read={async () => (await config.refetch()).data?.config} />
      )}
    </DnslbFrame>
  )
}

interface EditorProps {
  readonly first: string
  /** Reads the file again. */
  readonly read: () => Promise<string | undefined>
}

function Editor({ first, read }: EditorProps) {
  const me = useMe()
  const [base, setBase] = useState(first)
  const [content, setContent] = useState(first)
  const [isApplying, setApplying] = useState(false)
  const isDirty = content !== base
  const mayEdit = me.data?.is_admin === true
  const begin = async () => {
    const text = await read()
    if (text === undefined) return
    setBase(text)
    setContent(text)
  }
  return (
    <>
      <UnsavedGuard isDirty={isDirty} />
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {mayEdit
            ? 'Keep the last lines: they include the servers, lists and rules of the panel.'
            : 'Superusers edit the configuration, because its Lua may do anything on this host.'}
        </Text>
        {mayEdit && (
          <Group gap="xs">
            <Button variant="default" onClick={() => void begin()}>
              {isDirty ? 'Discard my changes' : 'Reload from disk'}
            </Button>
            <Button disabled={!isDirty} onClick={() => setApplying(true)}>
              Review changes
            </Button>
          </Group>
        )}
      </Group>
      <CodeEditor
        label="Configuration of dnsdist"
        value={content}
        onChange={setContent}
        readOnly={!mayEdit}
      />
      {isApplying && (
        <ChangeDialog
          title="Replace the configuration"
          confirmLabel="Apply"
          call={dnslb.writeConfig({ body: { config: content } })}
          onClose={() => setApplying(false)}
          onDone={async () => {
            await done(() => setApplying(false), 'The configuration is live; the former one was kept.')
            await begin()
          }}
        />
      )}
    </>
  )
}
