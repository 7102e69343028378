import { Alert, SimpleGrid, Stack, Text } from '@mantine/core'
import type { TObject } from 'typebox'
import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { MaxConnections, ReadOnly, Remote, ServerPort, type SqldbSettings } from '../model.ts'
import { sqldb } from './api.ts'
import { useSettings } from './queries.ts'
import { SqldbFrame } from './SqldbFrame.tsx'

/** The settings of the server, for superusers. */
export const SettingsPage = () => (
  <SqldbFrame>
    <Settings />
  </SqldbFrame>
)

function Settings() {
  const { data, error, refetch } = useSettings()
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <Stack gap="lg">
      {data.not_in_effect.length > 0 && (
        <Alert color="orange">
          The running server has other values of {data.not_in_effect.join(', ')}: restart it to use those of
          its files.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {forms.map((form) => (
          <SectionCard key={form.title} title={form.title}>
            <SettingForm key={JSON.stringify(data)} form={form} settings={data} />
          </SectionCard>
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        Changes are written to {data.path}.
      </Text>
    </Stack>
  )
}

interface Form {
  readonly title: string
  readonly schema: TObject
  readonly text: FieldTexts
  readonly given: (settings: SqldbSettings) => Readonly<Record<string, unknown>>
  readonly callOf: (body: any) => Call
}

const forms: readonly Form[] = [
  {
    title: 'Connections',
    schema: MaxConnections,
    text: { max_connections: { label: 'Connections at a time' } },
    given: ({ max_connections }) => ({ max_connections }),
    callOf: (body) => sqldb.setMaxConnections({ body }),
  },
  {
    title: 'Port',
    schema: ServerPort,
    text: { port: { label: 'TCP port', hint: 'The server restarts' } },
    given: ({ port }) => ({ port }),
    callOf: (body) => sqldb.setPort({ body }),
  },
  {
    title: 'Read only',
    schema: ReadOnly,
    text: { read_only: { label: 'Refuse changes of data' } },
    given: ({ read_only }) => ({ read_only }),
    callOf: (body) => sqldb.setReadOnly({ body }),
  },
  {
    title: 'Other hosts',
    schema: Remote,
    text: {
      remote: { label: 'Listen for other hosts', hint: 'The server restarts. Open its port in the firewall' },
    },
    given: ({ remote }) => ({ remote }),
    callOf: (body) => sqldb.setRemote({ body }),
  },
]

function SettingForm({ form, settings }: { readonly form: Form; readonly settings: SqldbSettings }) {
  const { title, schema, text, given, callOf } = form
  return (
    <SchemaForm
      schema={schema}
      text={text}
      given={given(settings)}
      submitLabel="Save"
      reviewOf={callOf}
      onSubmit={async (body) => {
        await run(callOf(body))
        notify(`${title}: saved.`)
        await readAgain('sqldb')
      }}
    />
  )
}
