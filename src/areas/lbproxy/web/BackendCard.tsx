import { Badge, Button, Menu, Text } from '@mantine/core'
import { IconCopy, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Backend } from '../model.ts'
import { DeleteItem, EditItem, PlotItem } from './card-items.tsx'
import { Fact } from './Fact.tsx'
import { formatCount, formatMs } from './numbers.ts'
import type { PictureProps } from './Picture.tsx'
import { PlaceCard } from './PlaceCard.tsx'
import { ServerRow } from './ServerRow.tsx'
import { toneOf, worstFirst } from './states.ts'
import { keyOf } from './traffic.ts'
import classes from './Picture.module.css'

interface BackendCardProps extends Pick<PictureProps, 'traffic' | 'isRunning' | 'onAsk' | 'onPlot'> {
  readonly backend: Backend
  readonly isUsed: boolean
  /** The search text; matching servers come first. */
  readonly letters: string
  /** The number of servers that are shown before the reader asks for all. */
  readonly mostServers: number
  readonly onChoose: (place: string | undefined) => void
}

/** A backend with its servers. */
// oxlint-disable-next-line max-lines-per-function -- one form
export function BackendCard({
  backend,
  isUsed,
  letters,
  mostServers,
  traffic,
  isRunning,
  onAsk,
  onPlot,
  onChoose,
}: BackendCardProps) {
  const { name, mode, balance, servers } = backend
  const [isWhole, setWhole] = useState(false)
  const key = keyOf('backend', name)
  const row = traffic?.rows.get(key)
  const matches = servers.filter(
    (server) =>
      letters !== '' && (server.name.toLowerCase().includes(letters) || server.address.includes(letters)),
  )
  const found = matches.length > 0 ? matches : servers
  const shown =
    isWhole || found.length <= mostServers
      ? found
      : worstFirst(found, (server) => traffic?.rows.get(keyOf('server', name, server))?.status)
  const items = () => (
    <>
      <Menu.Item
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onAsk({ what: 'add-server', backend: name })}
      >
        Add a server
      </Menu.Item>
      <EditItem onClick={() => onAsk({ what: 'edit-backend', backend })} />
      <PlotItem disabled={!row} onClick={() => onPlot(key)} />
      <Menu.Item
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => onAsk({ what: 'duplicate-backend', backend })}
      >
        Duplicate
      </Menu.Item>
      <DeleteItem onClick={() => onAsk({ what: 'remove-backend', name })} />
    </>
  )
  return (
    <PlaceCard
      kind="backend"
      {...{ name, mode, items, onChoose }}
      tone={isRunning && row && servers.length > 0 ? toneOf(row.status) : 'plain'}
      badge={
        !isUsed && (
          <Badge variant="light" color="orange" size="sm" tt="none">
            unused
          </Badge>
        )
      }
    >
      <div className={classes.facts}>
        <span>{balance || 'roundrobin'}</span>
        {row && (
          <>
            <Fact value={formatCount(row.now.requests)} of="requests/s" />
            <Fact value={formatCount(row.sessions_current)} of="sessions" />
            <Fact value={formatCount(row.queue_current)} of="waiting" />
            <Fact value={formatMs(row.response_ms)} />
          </>
        )}
      </div>
      {servers.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          No servers yet: visitors who are sent here get an error.{' '}
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => onAsk({ what: 'add-server', backend: name })}
          >
            Add a server
          </Button>
        </Text>
      )}
      {servers.length > 0 && (
        <ul className={classes.servers} aria-label={`Servers of ${name}`}>
          {shown.slice(0, isWhole ? shown.length : mostServers).map((server) => (
            <ServerRow
              key={server.name}
              backend={name}
              server={server}
              row={traffic?.rows.get(keyOf('server', name, server.name))}
              {...{ isRunning, onAsk, onPlot }}
            />
          ))}
        </ul>
      )}
      {shown.length > mostServers && !isWhole && (
        <div className={classes.more}>
          <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
            Show all {shown.length} servers
          </Button>
        </div>
      )}
    </PlaceCard>
  )
}
