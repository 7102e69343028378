import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { type VpnSettings, VpnSettingsEdit, type VpnStatus } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, longMs, useSettings, useStatus } from './queries.ts'
import { settingsText } from './settings-text.ts'
import { VpnActions } from './VpnActions.tsx'

const tabs = [
  { to: '/vpn', label: 'Nodes' },
  { to: '/vpn/users', label: 'Users and keys' },
  { to: '/vpn/routes', label: 'Routes' },
  { to: '/vpn/access', label: 'Access rules' },
  { to: '/vpn/settings', label: 'Settings' },
]

/** The frame of the pages: the state of the control server, and its installation where it is missing. */
export function VpnFrame({ children }: { readonly children: ReactNode }) {
  const { data: status, error, refetch, isPending } = useStatus()
  return (
    <Page
      title="VPN"
      about={status && <VpnState status={status} />}
      actions={status?.installed && <VpnActions status={status} />}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="vpn-gateway.install" />
      {status && !status.installed && <NotInstalled />}
      {status?.installed && status.reason !== null && (
        <Failure error={new Error(status.reason)} onRetry={() => void refetch()} />
      )}
      {status?.installed && (
        <>
          <PageTabs label="Pages of the VPN" tabs={tabs} />
          {children}
        </>
      )}
    </Page>
  )
}

const VpnState = ({ status }: { readonly status: VpnStatus }) => (
  <Group gap="4px 12px" role="status" aria-label="State of the VPN">
    <StateBadge state={status.installed ? (status.running ? 'active' : 'stopped') : 'missing'} />
    {status.installed && (
      <>
        <span className="anywhere">{status.server_url}</span>
        {status.answering && (
          <span>
            {status.online_nodes} of {status.nodes} nodes online
          </span>
        )}
      </>
    )}
  </Group>
)

function NotInstalled() {
  const { data: settings } = useSettings()
  const [asking, ask] = useState<'domain' | 'install'>()
  const close = () => ask(undefined)
  if (!settings) return <Loading rows={3} />
  return (
    <SectionCard title="Mesh VPN">
      <Empty
        title="The VPN is not installed"
        action={
          <Group gap="xs" mt="sm" justify="center">
            <Button variant={settings.domain === null ? 'filled' : 'default'} onClick={() => ask('domain')}>
              Set the domain
            </Button>
            {settings.domain !== null && <Button onClick={() => ask('install')}>Install the VPN</Button>}
          </Group>
        }
      >
        {settings.domain === null
          ? 'Computers join a private network through this host, under a domain that leads here.'
          : `Computers will join a private network at https://${settings.domain}.`}
      </Empty>
      {asking === 'domain' && <DomainForm settings={settings} onClose={close} />}
      {asking === 'install' && (
        <ChangeDialog
          title="Install the VPN"
          confirmLabel="Install"
          call={vpnGateway.installVpnGateway({ limitMs: longMs })}
          onClose={close}
          onDone={({ message }: { message: string }) => done(close, `${message}.`)}
        />
      )}
    </SectionCard>
  )
}

interface DomainFormProps {
  readonly settings: VpnSettings
  readonly onClose: () => void
}

const DomainForm = ({ settings, onClose }: DomainFormProps) => (
  <PlannedForm
    title="Set the domain"
    confirmLabel="Save"
    schema={VpnSettingsEdit}
    text={settingsText}
    only={['domain', 'username', 'base_domain']}
    given={{ ...settings, domain: settings.domain ?? '', username: settings.username ?? '' }}
    sendsOnlyChanges
    callOf={(body: VpnSettingsEdit) => vpnGateway.changeVpnSettings({ body })}
    onClose={onClose}
    onDone={() => done(onClose, 'The domain was set.')}
  />
)
