import type { ReactNode } from 'react'
import { formatDuration } from '../../../web/kit/format.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { type SystemInfo, useMetrics, useSystemInfo } from '../../system/web/queries.ts'
import classes from './dashboard.module.css'
import { Disks } from './Disks.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HostCharts } from './HostCharts.tsx'
import { useDashboard } from './queries.ts'
import { TileCard } from './TileCard.tsx'

/** The state of the host: first steps, the last hour, and what each area says of itself. */
export function DashboardPage() {
  const info = useSystemInfo()
  const metrics = useMetrics()
  const dashboard = useDashboard()
  return (
    <Page title="Dashboard" about={info.data && <About info={info.data} />}>
      {dashboard.data && <FirstSteps steps={dashboard.data.first_steps} />}
      <Part query={metrics}>{(read) => <HostCharts metrics={read} />}</Part>
      <Part query={dashboard}>
        {({ tiles }) => (
          <div className={classes.tiles}>
            {tiles.map((tile) => (
              <div key={tile.name} className={classes.tile}>
                <TileCard tile={tile} />
              </div>
            ))}
          </div>
        )}
      </Part>
      <Part query={info}>{({ disks }) => <Disks disks={disks} />}</Part>
    </Page>
  )
}

function About({ info }: { readonly info: SystemInfo }) {
  const { hostname, os, kernel, architecture, uptime_seconds: uptime, cpu, panel } = info
  return (
    <>
      <strong>{hostname}</strong> · {os} · {kernel} · {architecture} · {cpu.cores}{' '}
      {cpu.cores === 1 ? 'processor' : 'processors'} · up {formatDuration(uptime)} · panel {panel.version},{' '}
      {panel.is_root ? 'running as root' : 'not running as root'}
    </>
  )
}

interface PartProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: unknown
    refetch(): Promise<unknown>
  }
  readonly children: (data: Data) => ReactNode
}

/** A part of the page with its own query: its failure does not hide the others. */
function Part<Data>({ query: { data, error, refetch }, children }: PartProps<Data>) {
  if (data !== undefined) return children(data)
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={3} />
}
