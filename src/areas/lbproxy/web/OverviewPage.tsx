import { Alert, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { type Asking, Dialogs } from './Dialogs.tsx'
import { LbproxyFrame } from './LbproxyFrame.tsx'
import { Picture } from './Picture.tsx'
import { type Status, useBackends, useFrontends } from './queries.ts'
import { everything, useTraffic } from './traffic.ts'
import { TrafficCard } from './TrafficCard.tsx'

/** The load balancer as a live diagram of frontends, backends and traffic. */
export function OverviewPage() {
  return <LbproxyFrame>{(status) => <Overview status={status} />}</LbproxyFrame>
}

function Overview({ status }: { readonly status: Status }) {
  const frontends = useFrontends()
  const backends = useBackends()
  const traffic = useTraffic(status.running)
  const [asking, setAsking] = useState<Asking>()
  const [plotted, setPlotted] = useState(everything)
  const plot = useCallback((key: string) => {
    setPlotted(key)
    document.querySelector('#traffic')?.scrollIntoView({ block: 'nearest' })
  }, [])
  const error = frontends.error ?? backends.error
  if (error && !(frontends.data && backends.data))
    return (
      <Failure error={error} onRetry={() => void Promise.all([frontends.refetch(), backends.refetch()])} />
    )
  if (!frontends.data || !backends.data) return <Loading />
  const isEmpty = frontends.data.length === 0 && backends.data.length === 0
  return (
    <>
      {!status.running && (
        <Alert color="orange" title="HAProxy is not running">
          Visitors get no response. Your changes are checked and saved in the configuration until it is
          started.
        </Alert>
      )}
      {status.running && traffic.data?.isAvailable === false && (
        <Alert color="orange" title="No statistics">
          HAProxy does not answer on its stats socket: add “stats socket /run/haproxy/admin.sock mode 660
          level admin” to the global section.
        </Alert>
      )}
      {status.running && !isEmpty && (
        <TrafficCard
          plotted={plotted}
          onPlot={setPlotted}
          frontends={frontends.data}
          backends={backends.data}
          traffic={traffic.data}
        />
      )}
      {isEmpty ? (
        <Empty
          title="No load balancers yet"
          action={
            <Button
              mt="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setAsking({ what: 'add-backend' })}
            >
              New backend
            </Button>
          }
        >
          Begin with a backend and its servers; a frontend then listens for visitors and sends them there.
        </Empty>
      ) : (
        <>
          <Group gap="xs" justify="flex-end">
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setAsking({ what: 'add-backend' })}
            >
              New backend
            </Button>
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setAsking({ what: 'add-frontend' })}
            >
              New frontend
            </Button>
          </Group>
          <Picture
            frontends={frontends.data}
            backends={backends.data}
            traffic={traffic.data}
            isRunning={status.running}
            onAsk={setAsking}
            onPlot={plot}
          />
        </>
      )}
      {asking && <Dialogs asking={asking} backends={backends.data} onClose={() => setAsking(undefined)} />}
    </>
  )
}
