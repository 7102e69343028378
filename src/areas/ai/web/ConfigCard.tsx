import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CodeEditor } from '../../../web/kit/CodeEditor.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { ConfigVersions } from '../model.ts'
import { ai } from './api.ts'
import { done, restartMs } from './done.ts'
import { useConfig, useConfigVersions } from './queries.ts'

/** The configuration of OpenClaw as text, and its former versions. */
export function ConfigCard() {
  const { data, error, refetch } = useConfig()
  return (
    <SectionCard title="Configuration">
      <Text size="sm">
        OpenClaw checks it before it is used. A masked secret keeps the one that is stored at its place. What
        the panel relies on, such as the sign-in of the gateway, stays as it is. The assistant itself cannot
        change it.
      </Text>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={6} />}
      {data && <Editor key={JSON.stringify(data.config)} config={data.config} />}
      <Versions />
    </SectionCard>
  )
}

function Editor({ config }: { readonly config: Readonly<Record<string, unknown>> }) {
  const text = JSON.stringify(config, null, 2)
  const [draft, setDraft] = useState(text)
  const [call, setCall] = useState<Call>()
  const [flaw, setFlaw] = useState<string>()
  const look = () => {
    const parsed = parse(draft)
    setFlaw('flaw' in parsed ? parsed.flaw : undefined)
    if ('config' in parsed)
      setCall(ai.replaceAssistantConfig({ body: { config: parsed.config }, limitMs: restartMs }))
  }
  return (
    <>
      <CodeEditor label="Configuration of OpenClaw" language="json" value={draft} onChange={setDraft} />
      {flaw !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {flaw}
        </Text>
      )}
      <Group>
        <Button disabled={draft === text} onClick={look}>
          Review changes
        </Button>
      </Group>
      {call && (
        <ChangeDialog
          title="Change the configuration"
          confirmLabel="Save"
          call={call}
          onClose={() => setCall(undefined)}
          onDone={() => done(() => setCall(undefined), 'The configuration was saved.')}
        />
      )}
    </>
  )
}

function parse(text: string): { readonly config: Record<string, unknown> } | { readonly flaw: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { config: Object.fromEntries(Object.entries(value)) }
    return { flaw: 'The configuration must be a JSON object.' }
  } catch (error) {
    return { flaw: error instanceof Error ? error.message : String(error) }
  }
}

type Version = ConfigVersions['versions'][number]

const columnsWith = (restore: (version: Version) => void): readonly Column<Version>[] => [
  { id: 'version', title: 'Version', cell: ({ version }) => version },
  { id: 'created', title: 'Until', cell: ({ created_at }) => <Moment time={created_at} /> },
  { id: 'size', title: 'Size', cell: ({ size_bytes }) => formatBytes(size_bytes) },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (version) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Restore version ${version.version}`}
        onClick={() => restore(version)}
      >
        Restore
      </Button>
    ),
  },
]

function Versions() {
  const query = useConfigVersions()
  const [restored, restore] = useState<Version>()
  const close = () => restore(undefined)
  return (
    <>
      <DataTable
        label="Former configurations"
        columns={columnsWith(restore)}
        query={useWholePage(query)}
        rowKey={({ version }) => String(version)}
        empty={<Empty title="No former versions">The last 20 are kept.</Empty>}
      />
      {restored && (
        <ChangeDialog
          title={`Restore version ${restored.version}`}
          confirmLabel="Restore it"
          call={ai.restoreConfigVersion({ body: { version: restored.version }, limitMs: restartMs })}
          onClose={close}
          onDone={() => done(close, `Version ${restored.version} was restored.`)}
        />
      )}
    </>
  )
}
