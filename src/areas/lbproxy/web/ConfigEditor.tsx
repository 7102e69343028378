import { Button, Group, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { CodeEditor } from '../../../web/kit/CodeEditor.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { UnsavedGuard } from '../../../web/kit/UnsavedGuard.tsx'
import { ApiError } from '../../../web/wire.ts'
import { ConfigCheck } from './ConfigCheck.tsx'
import { carryOut, type Config, writeConfig } from './queries.ts'
import { StaleConfig } from './StaleConfig.tsx'
import { useCheck } from './use-check.ts'
import classes from './ConfigEditor.module.css'

interface ConfigEditorProps {
  readonly first: Config
  readonly onDirty: (isDirty: boolean) => void
  /** Reloads the configuration from the file. */
  readonly read: () => Promise<Config | undefined>
  readonly children: ReactNode
}

/** Edits the configuration; HAProxy checks the text while it is typed. */
export function ConfigEditor({ first, onDirty, read, children }: ConfigEditorProps) {
  const [base, setBase] = useState(first)
  const [content, setContent] = useState(first.content)
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [goTo, setGoTo] = useState<{ readonly line: number }>()
  const isDirty = content !== base.content
  const check = useCheck(content, isDirty ? base.revision : undefined)
  const isConflict = failure instanceof ApiError && failure.status === 409
  const isStale = isDirty && (isConflict || check.isStale)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  const begin = async () => {
    const now = await read()
    if (now === undefined) return
    setBase(now)
    setContent(now.content)
    setFailure(undefined)
  }
  const save = async (revision: number | undefined) => {
    setSaving(true)
    setFailure(undefined)
    await carryOut(writeConfig(content, revision))
      .then(async () => {
        notify('The configuration is live.')
        await begin()
      })
      .catch(setFailure)
    setSaving(false)
  }
  const saveIfDirty = () => void (isDirty && !isSaving && save(base.revision))
  useHotkeys([['mod+S', saveIfDirty]], [], true)

  return (
    <>
      <UnsavedGuard isDirty={isDirty} />
      <Group justify="space-between" gap="sm">
        <Text size="sm" ff="monospace" className="anywhere">
          {base.path}
        </Text>
        <Group gap="xs">
          {children}
          <Button variant="default" disabled={isSaving} onClick={() => void begin()}>
            {isDirty ? 'Discard my changes' : 'Reload from disk'}
          </Button>
          <Button loading={isSaving} disabled={!isDirty || check.isRefused} onClick={saveIfDirty}>
            Apply
          </Button>
        </Group>
      </Group>
      {isStale && (
        <StaleConfig
          isSaving={isSaving}
          onTakeTheirs={() => void begin()}
          onPutMine={() => void save(undefined)}
        />
      )}
      {failure !== undefined && !isConflict && <Failure error={failure} />}
      <div className={classes.sides}>
        <CodeEditor
          label="Configuration of HAProxy"
          language="haproxy"
          value={content}
          onChange={setContent}
          diagnostics={check.text.lines}
          goTo={goTo}
        />
        <ConfigCheck check={check} isDirty={isDirty} path={base.path} onLine={(line) => setGoTo({ line })} />
      </div>
    </>
  )
}
