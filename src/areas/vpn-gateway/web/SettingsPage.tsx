import { Button, Group, Stack, Table } from '@mantine/core'
import { useState } from 'react'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { type VpnSettings, VpnSettingsEdit, VpnSubnet } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, useSettings } from './queries.ts'
import { settingsText } from './settings-text.ts'
import { VpnFrame } from './VpnFrame.tsx'

/** How the mesh is set up. */
export function SettingsPage() {
  const settings = useSettings()
  return (
    <VpnFrame>
      {settings.error && !settings.data && (
        <Failure error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.isPending && <Loading rows={6} />}
      {settings.data && <Settings settings={settings.data} />}
    </VpnFrame>
  )
}

const shownOf = (settings: VpnSettings): readonly (readonly [string, string])[] => [
  ['Domain', settings.domain ?? 'None'],
  ['Network', `${settings.subnet}, ${settings.subnet_v6}`],
  ['Domain of node names', settings.base_domain],
  ['Node names in DNS', settings.magic_dns ? 'Yes' : 'No'],
  ['DNS servers of nodes', settings.nameservers.join(', ') || 'Those of each node'],
]

function Settings({ settings }: { readonly settings: VpnSettings }) {
  const [asking, ask] = useState<'settings' | 'subnet'>()
  const close = () => ask(undefined)
  return (
    <SectionCard title="Settings">
      <Stack gap="sm">
        <Table>
          <Table.Tbody>
            {shownOf(settings).map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" w="30%">
                  {label}
                </Table.Th>
                <Table.Td className="anywhere">{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group gap="xs">
          <Button onClick={() => ask('settings')}>Edit</Button>
          <Button variant="default" onClick={() => ask('subnet')}>
            Change the network
          </Button>
        </Group>
      </Stack>
      {asking === 'settings' && (
        <PlannedForm
          title="Edit the settings"
          confirmLabel="Save"
          schema={VpnSettingsEdit}
          text={settingsText}
          only={['base_domain', 'magic_dns', 'nameservers']}
          given={{ ...settings }}
          sendsOnlyChanges
          callOf={(body: VpnSettingsEdit) => vpnGateway.changeVpnSettings({ body })}
          onClose={close}
          onDone={() => done(close, 'The settings were changed.')}
        />
      )}
      {asking === 'subnet' && (
        <PlannedForm
          title="Change the network"
          confirmLabel="Change"
          schema={VpnSubnet}
          text={{
            subnet: { label: 'Network', hint: 'Within 100.64.0.0/10; every node gets an address of it' },
          }}
          given={{ subnet: settings.subnet }}
          callOf={(body: { subnet: string }) => vpnGateway.changeVpnSubnet({ body })}
          onClose={close}
          onDone={() => done(close, 'The network was changed.')}
        />
      )}
    </SectionCard>
  )
}
