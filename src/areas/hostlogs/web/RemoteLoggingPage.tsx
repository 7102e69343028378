import { Alert, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { formatBytes } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { type RemoteLogging, RemoteLoggingDraft } from '../model.ts'
import { hostlogs } from './api.ts'
import { useRemoteLogging } from './queries.ts'
import { targetText } from './target-text.ts'

/** Where the log lines of the host are sent. */
export function RemoteLoggingPage() {
  const { data, error, refetch, isPending } = useRemoteLogging()
  return (
    <Page title="Remote logging" about="Sends every log line of this host to another server.">
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && <Settings key={JSON.stringify({ ...data, queued_bytes: 0 })} settings={data} />}
    </Page>
  )
}

function Settings({ settings }: { readonly settings: RemoteLogging }) {
  const { enabled, server, port, protocol, ca, state, queued_bytes, running, reason } = settings
  const [isEdited] = useState(enabled && state === 'differs')
  const callOf = (body: RemoteLoggingDraft) =>
    hostlogs.changeRemoteLogging({ body: { ...body, enabled: body.enabled ?? enabled } })
  const save = async (body: RemoteLoggingDraft) => {
    await run(callOf(body))
    notify('Remote logging was saved.')
    await readAgain('hostlogs')
  }
  return (
    <Stack gap="lg">
      {reason !== '' && (
        <Alert color="orange" title="Nothing can be sent">
          {reason}
        </Alert>
      )}
      {isEdited && (
        <Alert color="orange" title="The file was edited by hand">
          Saving shows what would be replaced.
        </Alert>
      )}
      <SectionCard title="Server">
        <Group gap="sm">
          <StateBadge state={enabled && running ? 'running' : 'stopped'} />
          <Text size="sm">
            {enabled ? `Lines are sent to ${server} on port ${port}.` : 'Lines are sent to no other server.'}
            {queued_bytes > 0 && ` ${formatBytes(queued_bytes)} wait on the disk.`}
          </Text>
        </Group>
        <SchemaForm
          schema={RemoteLoggingDraft}
          text={targetText}
          given={{ enabled, server, port, protocol, ca }}
          sendsOnlyChanges
          autoComplete={{ server: 'off' }}
          submitLabel="Save remote logging"
          reviewOf={callOf}
          onSubmit={save}
        />
      </SectionCard>
    </Stack>
  )
}
