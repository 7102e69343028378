import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formatBytes } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { RemoteLogging } from '../model.ts'
import { hostlogs } from './api.ts'
import { ForwardingForm } from './ForwardingForm.tsx'
import { useRemoteLogging } from './queries.ts'

/** Where the log lines of the host are sent. */
export function RemoteLoggingPage() {
  const { data, error, refetch, isPending } = useRemoteLogging()
  return (
    <Page title="Remote logging" about="Sends every log line of this host to another server.">
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && <Settings settings={data} />}
    </Page>
  )
}

function Settings({ settings }: { readonly settings: RemoteLogging }) {
  const [isEditing, setEditing] = useState(false)
  const { enabled, server, port, state, queued_bytes, running, reason } = settings
  return (
    <Stack gap="lg">
      {reason !== '' && (
        <Alert color="orange" title="Nothing can be sent">
          {reason}
        </Alert>
      )}
      {enabled && state !== 'applied' && (
        <Alert color="orange" title="The settings are not in effect">
          The file of the rule {state === 'absent' ? 'is missing' : 'was edited by hand'}: save the server to
          write it again.
        </Alert>
      )}
      <SectionCard title="Server">
        <Group gap="sm">
          <StateBadge state={enabled && running ? 'running' : 'stopped'} />
          <Text size="sm" className="anywhere">
            {enabled ? `Lines are sent to ${server} on port ${port}.` : 'Lines are sent to no other server.'}
            {queued_bytes > 0 && ` ${formatBytes(queued_bytes)} wait on the disk.`}
          </Text>
        </Group>
        <Group>
          <Button onClick={() => setEditing(true)}>Change the server</Button>
        </Group>
      </SectionCard>
      {isEditing && (
        <ForwardingForm
          title="Send log lines to a server"
          target={settings}
          callOf={(body) => hostlogs.changeRemoteLogging({ body })}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false)
            notify('Remote logging was saved.')
            return readAgain('hostlogs')
          }}
        />
      )}
    </Stack>
  )
}
