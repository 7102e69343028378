import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { notify } from '../../../web/kit/notices.tsx'
import { textOf } from '../../../web/wire.ts'
import type { Server } from '../model.ts'
import { DeleteItem, EditItem, PlotItem } from './card-items.tsx'
import { CardMenu } from './CardMenu.tsx'
import { Fact } from './Fact.tsx'
import { formatCount, formatMs } from './numbers.ts'
import type { PictureProps } from './Picture.tsx'
import { lbproxy } from './api.ts'
import { carryOut, type ServerState } from './queries.ts'
import { plainBody } from './server-body.ts'
import { stateOf, toneOf, wordOf } from './states.ts'
import { keyOf, type Row } from './traffic.ts'
import classes from './Picture.module.css'

interface ServerRowProps extends Pick<PictureProps, 'isRunning' | 'onAsk' | 'onPlot'> {
  readonly backend: string
  readonly server: Server
  readonly row: Row | undefined
}

const states: readonly { readonly state: ServerState; readonly label: string; readonly done: string }[] = [
  { state: 'ready', label: 'Ready', done: 'accepts visitors' },
  { state: 'drain', label: 'Drain', done: 'gets no new visitors' },
  { state: 'maint', label: 'Maint', done: 'is in maintenance' },
]

/** One server: its state and load, and buttons that change its state. */
export const ServerRow = memo(function ServerRow({
  backend,
  server,
  row,
  isRunning,
  onAsk,
  onPlot,
}: ServerRowProps) {
  const status = row?.status ?? server.status
  const isPlain = server.port !== null && !server.address.includes('/')
  const items = () => (
    <>
      <EditItem disabled={!isPlain} onClick={() => onAsk({ what: 'edit-server', backend, server })} />
      <PlotItem disabled={!row} onClick={() => onPlot(keyOf('server', backend, server.name))} />
      <DeleteItem onClick={() => onAsk({ what: 'remove-server', backend, server: server.name })} />
    </>
  )
  return (
    <li className={classes.server} aria-label={`Server ${server.name}`}>
      <div className={classes.serverName}>
        <span className={classes.dot} data-tone={isRunning ? toneOf(status) : 'plain'} />
        <Text size="sm" fw={600} className="anywhere">
          {server.name}
        </Text>
        <Text size="xs" className={classes.status} data-tone={isRunning ? toneOf(status) : 'plain'}>
          {isRunning ? wordOf(status) : 'Not running'}
        </Text>
      </div>
      <StateButtons backend={backend} server={server} present={stateOf(status)} isOn={isRunning && isPlain} />
      <CardMenu label={`Actions for the server ${server.name} of ${backend}`} items={items} />
      <div className={classes.serverFacts}>
        <span className="anywhere">
          {server.ssl ? 'TLS ' : ''}
          {server.address}
          {server.port === null ? '' : `:${server.port}`}
        </span>
        {server.weight !== null && <span>weight {server.weight}</span>}
        {server.backup && <span>backup</span>}
        {!server.check && <span>not checked</span>}
        {row && (
          <>
            <Fact value={formatCount(row.now.requests)} of="requests/s" />
            <Fact value={formatCount(row.sessions_current)} of="sessions" />
            <Fact value={formatMs(row.response_ms)} />
            {row.now.errors > 0 && <Fact value={formatCount(row.now.errors)} of="errors/s" />}
          </>
        )}
      </div>
    </li>
  )
}, looksTheSame)

/** The counters are polled every two seconds, but most rows do not change. */
function looksTheSame(before: ServerRowProps, now: ServerRowProps): boolean {
  const { row: one, ...rest } = before
  const { row: other, ...restNow } = now
  const shown = (row: Row | undefined) =>
    row && [row.status, row.now.requests, row.sessions_current, row.response_ms, row.now.errors].join()
  return (
    shown(one) === shown(other) &&
    Object.entries(rest).every(([name, value]) => restNow[name as keyof typeof rest] === value)
  )
}

interface StateButtonsProps {
  readonly backend: string
  readonly server: Server
  readonly present: ServerState
  readonly isOn: boolean
}

function StateButtons({ backend, server, present, isOn }: StateButtonsProps) {
  const { name } = server
  const change = useMutation({
    mutationFn: (state: ServerState) =>
      carryOut(
        lbproxy.replaceServer({
          params: { name: backend, server: name },
          body: { ...plainBody(server), state },
        }),
      ),
    onSuccess: (_reply, state) => notify(`${name} ${states.find((each) => each.state === state)?.done}.`),
    onError: (error) => notify(textOf(error), true),
  })
  return (
    <div
      role="group"
      aria-label={`State of ${name}`}
      className={classes.states}
      title={isOn ? undefined : 'Not available while HAProxy is stopped, or for a server without a port'}
      aria-busy={change.isPending}
    >
      {states.map(({ state, label }) => (
        <button
          key={state}
          type="button"
          className={classes.state}
          data-state={state}
          aria-pressed={present === state}
          disabled={!isOn || change.isPending}
          onClick={() => change.mutate(state)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
