import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { SshAuditStatus } from '../model.ts'
import { AuditTable } from './AuditTable.tsx'
import { hostlogs } from './api.ts'
import { ForwardingForm } from './ForwardingForm.tsx'
import { useSshAudit } from './queries.ts'

/** Who signed in over SSH, and what they ran. */
export function SshAuditPage() {
  const { data, error, refetch, isPending } = useSshAudit()
  return (
    <Page
      title="SSH audit"
      about="Sign-ins, sessions and commands over SSH, as sshd and the kernel record them."
    >
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <Stack gap="xl">
        {data && <State status={data} />}
        <AuditTable />
      </Stack>
    </Page>
  )
}

type Asked = { readonly title: string; readonly call: Call } | 'forward'

function State({ status }: { readonly status: SshAuditStatus }) {
  const [asked, setAsked] = useState<Asked>()
  const { enabled, reason, commands, forward } = status
  const differs = [status.state, commands.state, forward.state].includes('differs')
  const why = commands.reason === '' ? '' : `: ${commands.reason}`
  const title = enabled ? 'End the audit' : 'Start the audit'
  const done = () => {
    setAsked(undefined)
    notify('The SSH audit was changed.')
    return readAgain('hostlogs')
  }
  return (
    <SectionCard title="Audit">
      {reason !== '' && <Alert color="orange">{reason}</Alert>}
      <Group gap="sm">
        <StateBadge state={enabled ? 'running' : 'stopped'} />
        <Text size="sm">
          {enabled ? 'sshd logs each session.' : 'sshd logs sign-ins only.'}{' '}
          {commands.enabled ? 'Commands are recorded.' : `Commands are not recorded${why}.`}{' '}
          {forward.enabled ? `The lines are sent to ${forward.server}.` : 'The lines stay on this host.'}
          {differs && ' A file was edited by hand.'}
        </Text>
      </Group>
      <Group gap="sm">
        <Button
          onClick={() => setAsked({ title, call: hostlogs.toggleSshAudit({ body: { enabled: !enabled } }) })}
        >
          {title}
        </Button>
        <Button variant="default" onClick={() => setAsked('forward')}>
          Send to a server
        </Button>
        <Button
          variant="default"
          onClick={() => setAsked({ title: 'Write the files again', call: hostlogs.rewriteSshAudit() })}
        >
          Write the files again
        </Button>
      </Group>
      {asked === 'forward' && (
        <ForwardingForm
          title="Send the audit to a server"
          target={forward}
          callOf={(body) => hostlogs.forwardSshAudit({ body })}
          onClose={() => setAsked(undefined)}
          onDone={done}
        />
      )}
      {asked !== undefined && asked !== 'forward' && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.title}
          call={asked.call}
          onClose={() => setAsked(undefined)}
          onDone={done}
        />
      )}
    </SectionCard>
  )
}
