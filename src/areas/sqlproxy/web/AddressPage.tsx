import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { KeepalivedSetup, type KeepalivedStatus } from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'
import { ProxyFrame } from './ProxyFrame.tsx'
import { useKeepalived } from './queries.ts'

/** The virtual address that moves between two hosts. */
export const AddressPage = () => (
  <ProxyFrame isAlwaysShown>
    <OngoingWork kind="sqlproxy.keepalived" />
    <Address />
  </ProxyFrame>
)

const text = {
  virtual_ip: { label: 'Virtual address', hint: 'A free IPv4 address of a network of this host' },
  priority: { label: 'Priority', hint: 'The host with the highest priority has the address' },
  state: { label: 'Initial state', labels: { MASTER: 'Master', BACKUP: 'Backup' } },
  peer_ip: { label: 'Other host', hint: 'Its IPv4 address; leave blank for multicast' },
  auth_pass: {
    label: 'Shared password',
    hint: 'Up to 8 characters, the same on both hosts; leave blank to keep it',
  },
}

const states: Readonly<Record<KeepalivedStatus['vrrp_state'], readonly [string, string]>> = {
  MASTER: ['green', 'This host has the address.'],
  BACKUP: ['indigo', 'Another host has the address. This one takes it if that one fails.'],
  FAULT: ['red', 'The proxy of this host does not run: it cannot have the address.'],
  STOPPED: ['orange', 'keepalived does not run on this host.'],
}

function Address() {
  const { data, error, refetch, isPending } = useKeepalived()
  const [asking, ask] = useState<'setup' | 'disable'>()
  const close = () => ask(undefined)
  if (isPending) return <Loading rows={3} />
  if (!data) return <Failure error={error} onRetry={() => void refetch()} />
  const { configured, virtual_ip, priority, state, peer_ip } = data
  return (
    <SectionCard title="Virtual address">
      {configured ? (
        <AddressState status={data} />
      ) : (
        <Text size="sm">
          No virtual address is set up. It moves to another host if the proxy of this one fails.
        </Text>
      )}
      <Group>
        <Button variant={configured ? 'default' : 'filled'} onClick={() => ask('setup')}>
          {configured ? 'Change it' : 'Set up an address'}
        </Button>
        {configured && <CutOffButton onClick={() => ask('disable')}>Remove it</CutOffButton>}
      </Group>
      {asking === 'setup' && (
        <PlannedForm
          title="Virtual address"
          confirmLabel="Set up"
          schema={KeepalivedSetup}
          text={text}
          autoComplete={{ auth_pass: 'new-password' }}
          {...(configured && { given: { virtual_ip, priority, state, peer_ip: peer_ip ?? '' } })}
          callOf={(body: KeepalivedSetup) => sqlproxy.setUpKeepalived({ body: draftOf(body) })}
          onClose={close}
          onDone={({ message }: { readonly message: string }) => done(close, `${message}.`)}
        />
      )}
      {asking === 'disable' && (
        <ChangeDialog
          title="Remove the virtual address"
          confirmLabel="Remove"
          isCutOff
          call={sqlproxy.disableSqlproxyKeepalived()}
          onClose={close}
          onDone={() => done(close, 'The virtual address was removed.')}
        />
      )}
    </SectionCard>
  )
}

/** Leaves out what is blank. */
function draftOf({ peer_ip, auth_pass, ...draft }: KeepalivedSetup): KeepalivedSetup {
  return { ...draft, ...(peer_ip && { peer_ip }), ...(auth_pass && { auth_pass }) }
}

function AddressState({ status }: { readonly status: KeepalivedStatus }) {
  const [color, sentence] = states[status.vrrp_state]
  return (
    <>
      <Group gap="sm" role="status" aria-label="State of the virtual address">
        <Text fw={600}>{status.virtual_ip}</Text>
        <Badge variant="light" color={color} tt="none">
          {status.vrrp_state}
        </Badge>
      </Group>
      <Text size="sm">{sentence}</Text>
      <Text size="sm">
        Interface {status.interface}, priority {status.priority}, other host:{' '}
        {status.peer_ip ?? 'by multicast'}
        {status.has_auth_pass ? ', with a shared password.' : ', without a shared password.'}
      </Text>
    </>
  )
}
