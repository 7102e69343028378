import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { VpnAdvertisement, type VpnRoute } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, useNodes, useRoutes } from './queries.ts'
import { VpnFrame } from './VpnFrame.tsx'

/** The networks that are reached through nodes. */
export const RoutesPage = () => (
  <VpnFrame>
    <Routes />
  </VpnFrame>
)

const columnsWith = (ask: (route: VpnRoute) => void): readonly Column<VpnRoute>[] => [
  {
    id: 'prefix',
    title: 'Network',
    value: ({ prefix }) => prefix,
    cell: ({ prefix, is_exit }) => (is_exit ? `${prefix} (internet)` : prefix),
  },
  { id: 'node', title: 'Through', value: ({ node }) => node, cell: ({ node }) => node },
  { id: 'offered', title: 'Offered', cell: ({ advertised }) => (advertised ? 'Yes' : 'No') },
  {
    id: 'state',
    title: 'State',
    value: ({ enabled }) => Number(enabled),
    cell: ({ enabled }) => <StateBadge state={enabled ? 'active' : 'disabled'} />,
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (route) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`${route.enabled ? 'Disable' : 'Enable'} ${route.prefix} through ${route.node}`}
        onClick={() => ask(route)}
      >
        {route.enabled ? 'Disable' : 'Enable'}
      </Button>
    ),
  },
]

function Routes() {
  const { data: routes, ...query } = useRoutes()
  const { data: nodes = [] } = useNodes()
  const [asked, ask] = useState<VpnRoute>()
  const [isOffering, setOffering] = useState(false)
  const [close, stop] = [() => ask(undefined), () => setOffering(false)]
  const local = nodes.find(({ is_local }) => is_local)?.id
  const own = (routes ?? []).filter(({ node_id, advertised }) => node_id === local && advertised)
  const params = { id: asked?.id ?? '' }
  return (
    <>
      <DataTable
        label="Routes"
        columns={columnsWith(ask)}
        query={useWholePage({ ...query, data: routes })}
        rowKey={({ id }) => id}
        filters={<Button onClick={() => setOffering(true)}>Offer networks of this host</Button>}
        empty={<Empty title="No routes">Nodes can offer the networks behind them, or the internet.</Empty>}
      />
      {asked && (
        <ChangeDialog
          title={`${asked.enabled ? 'Disable' : 'Enable'} ${asked.prefix}`}
          confirmLabel={asked.enabled ? 'Disable' : 'Enable'}
          isCutOff={asked.enabled}
          call={
            asked.enabled ? vpnGateway.disableVpnRoute({ params }) : vpnGateway.enableVpnRoute({ params })
          }
          onClose={close}
          onDone={() => done(close, `${asked.prefix} was ${asked.enabled ? 'disabled' : 'enabled'}.`)}
        />
      )}
      {isOffering && (
        <PlannedForm
          title="Offer networks of this host"
          confirmLabel="Offer"
          schema={VpnAdvertisement}
          text={{
            routes: { label: 'Networks', hint: 'Such as 10.1.0.0/24' },
            exit_node: { label: 'The internet too (exit node)' },
          }}
          given={{
            routes: own.filter(({ is_exit }) => !is_exit).map(({ prefix }) => prefix),
            exit_node: own.some(({ is_exit }) => is_exit),
          }}
          callOf={(body: VpnAdvertisement) => vpnGateway.advertiseVpnRoutes({ body })}
          onClose={stop}
          onDone={() => done(stop, 'The networks are offered.')}
        />
      )}
    </>
  )
}
