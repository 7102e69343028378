import { Badge } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { Frontend } from '../model.ts'
import { DeleteItem, EditItem, PlotItem } from './card-items.tsx'
import { Fact } from './Fact.tsx'
import type { Way } from './flow.ts'
import { formatCount, formatRate } from './numbers.ts'
import type { PictureProps } from './Picture.tsx'
import { PlaceCard } from './PlaceCard.tsx'
import { toneOf, wordOf } from './states.ts'
import { keyOf } from './traffic.ts'
import classes from './Picture.module.css'

interface FrontendCardProps extends Pick<PictureProps, 'traffic' | 'isRunning' | 'onAsk' | 'onPlot'> {
  readonly frontend: Frontend
  readonly ways: readonly Way[]
  readonly onChoose: (place: string | undefined) => void
}

/** A frontend: its addresses, its backends and its traffic. */
export function FrontendCard({
  frontend,
  ways,
  traffic,
  isRunning,
  onAsk,
  onPlot,
  onChoose,
}: FrontendCardProps) {
  const { name, kind, mode, binds, redirects } = frontend
  const key = keyOf('frontend', name)
  const row = traffic?.rows.get(key)
  const items = () => (
    <>
      <EditItem onClick={() => onAsk({ what: 'edit-frontend', frontend })} />
      <PlotItem disabled={!row} onClick={() => onPlot(key)} />
      <DeleteItem onClick={() => onAsk({ what: 'remove-frontend', name })} />
    </>
  )
  return (
    <PlaceCard
      kind="frontend"
      {...{ name, mode, items, onChoose }}
      tone={isRunning && row ? toneOf(row.status) : 'plain'}
      badge={
        kind === 'listen' && (
          <Badge variant="default" size="sm" tt="none">
            listen
          </Badge>
        )
      }
    >
      <div className={classes.binds}>
        {binds.map(({ address, port, ssl }, index) => (
          <span key={index} className={classes.bind}>
            {ssl && <IconLock size={12} className="in-text" aria-label="TLS" />} {address}
            {port === null ? '' : `:${port}`}
          </span>
        ))}
      </div>
      <ul className={classes.targets}>
        {ways.map(({ backend, condition }) => (
          <li key={`${backend} ${condition}`}>
            {condition ?? 'default'} → <b>{backend}</b>
          </li>
        ))}
        {redirects.map((redirect) => (
          <li key={redirect}>redirect {redirect}</li>
        ))}
        {ways.length === 0 && redirects.length === 0 && <li>sends visitors nowhere</li>}
      </ul>
      {row && (
        <div className={classes.facts}>
          <span>{wordOf(row.status)}</span>
          <Fact value={formatCount(row.now.requests)} of="requests/s" />
          <Fact value={formatCount(row.sessions_current)} of="sessions" />
          <span>
            in <b>{formatRate(row.now.bytesIn)}</b>
          </span>
          <span>
            out <b>{formatRate(row.now.bytesOut)}</b>
          </span>
        </div>
      )}
    </PlaceCard>
  )
}
