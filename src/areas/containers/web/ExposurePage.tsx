import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type ExposedPort, type Exposure, LimitForm } from '../exposure/model.ts'
import { containers } from './api.ts'
import { ContainersFrame } from './ContainersFrame.tsx'
import { done } from './Dialogs.tsx'
import { useExposure } from './queries.ts'
import { reachText } from './state.ts'

interface Asked {
  readonly what: 'limit' | 'lift'
  readonly port: ExposedPort
}
type Ask = (what: Asked['what'], port: ExposedPort) => void

const addressOf = ({ address, port, protocol }: ExposedPort) =>
  `${address.includes(':') ? `[${address}]` : address || '*'}:${port}/${protocol}`

const columnsOf = (ask: Ask): readonly Column<ExposedPort>[] => [
  {
    id: 'port',
    title: 'Port',
    value: addressOf,
    cell: (port) => (
      <>
        <Text size="sm" className="anywhere">
          {addressOf(port)}
        </Text>
        <Text size="xs" c="dimmed">
          to {port.container_port}/{port.protocol} of{' '}
          <TextLink to={`/containers/list/${encodeURIComponent(port.container)}`}>{port.container}</TextLink>
        </Text>
      </>
    ),
  },
  {
    id: 'reach',
    title: 'Who can reach it',
    value: ({ reach, sources }) => reachText(reach, sources),
    cell: ({ reach, sources, denied }) => (
      <>
        <Text size="sm" className="anywhere">
          {reachText(reach, sources)}
        </Text>
        {denied.length > 0 && (
          <Text size="xs" c="dimmed" className="anywhere">
            but not {denied.join(', ')}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'actions',
    title: 'Actions',
    align: 'right',
    cell: (port) => <Actions port={port} onAsk={ask} />,
  },
]

function Actions({ port, onAsk }: { readonly port: ExposedPort; readonly onAsk: Ask }) {
  const { protocol, limit } = port
  if (protocol !== 'tcp' && protocol !== 'udp') return '–'
  if (port.reach === 'host' && limit === null) return '–'
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={`Limit ${addressOf(port)}`}
        onClick={() => onAsk('limit', port)}
      >
        Limit
      </Button>
      {limit !== null && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Lift the limit of ${addressOf(port)}`}
          onClick={() => onAsk('lift', port)}
        >
          Lift the limit
        </Button>
      )}
    </Group>
  )
}

/** Who can reach the published ports. */
export function ExposurePage() {
  const { data, ...query } = useExposure()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <ContainersFrame>
      {data && <Notes exposure={data} />}
      <DataTable
        label="Published ports"
        columns={columnsOf((what, port) => setAsked({ what, port }))}
        query={useWholePage({ ...query, data: data?.ports })}
        rowKey={(port) => `${port.id} ${addressOf(port)}`}
        empty={<Empty title="No published ports">No running container publishes one.</Empty>}
      />
      {asked?.what === 'limit' && <LimitDialog port={asked.port} onClose={close} />}
      {asked?.what === 'lift' && <LiftDialog port={asked.port} onClose={close} />}
    </ContainersFrame>
  )
}

function Notes({ exposure }: { readonly exposure: Exposure }) {
  const { is_filtered: isFiltered, unread_rules: unread, host_network: onHost } = exposure
  return (
    <>
      {!isFiltered && (
        <Alert mb="md" color="yellow" title="The rules of DOCKER-USER cannot be read">
          Every published port counts as open.
        </Alert>
      )}
      {unread.length > 0 && (
        <Alert mb="md" title="Rules that may close more than is shown">
          {unread.map((rule) => (
            <Text key={rule} size="sm" className="anywhere">
              {rule}
            </Text>
          ))}
        </Alert>
      )}
      {onHost.length > 0 && (
        <Alert mb="md" title="Containers in the network of the host">
          {onHost.join(', ')}: the rules of the firewall apply to what they listen on.
        </Alert>
      )}
    </>
  )
}

interface LimitProps {
  readonly port: ExposedPort
  readonly onClose: () => void
}

const callOf = ({ port, protocol }: ExposedPort, sources: string[] | null) =>
  containers.limitContainerPort({
    body: { port, protocol: protocol === 'udp' ? 'udp' : 'tcp', sources },
  })

const LimitDialog = ({ port, onClose }: LimitProps) => (
  <PlannedForm
    title={`Limit who can reach ${port.port}/${port.protocol}`}
    confirmLabel="Limit"
    schema={LimitForm}
    text={{ sources: { label: 'Addresses and networks', hint: 'None: this host alone' } }}
    given={{ sources: port.limit ?? [] }}
    callOf={({ sources }: { sources: string[] }) => callOf(port, sources)}
    onClose={onClose}
    onDone={() => done(onClose, `Port ${port.port}/${port.protocol} is limited.`)}
  />
)

const LiftDialog = ({ port, onClose }: LimitProps) => (
  <ChangeDialog
    title={`Lift the limit of ${port.port}/${port.protocol}`}
    confirmLabel="Lift the limit"
    call={callOf(port, null)}
    onClose={onClose}
    onDone={() => done(onClose, `Everyone can reach port ${port.port}/${port.protocol}.`)}
  />
)
