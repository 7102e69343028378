import { Badge, Menu, Title } from '@mantine/core'
import { IconChartLine, IconEdit, IconLock, IconTrash } from '@tabler/icons-react'
import type { Frontend } from '../model.ts'
import { CardMenu } from './CardMenu.tsx'
import type { Way } from './flow.ts'
import { formatCount, formatRate } from './numbers.ts'
import type { PictureProps } from './Picture.tsx'
import { toneOf, wordOf } from './states.ts'
import { keyOf } from './traffic.ts'
import classes from './Picture.module.css'

interface FrontendCardProps extends Pick<PictureProps, 'traffic' | 'isRunning' | 'onAsk' | 'onPlot'> {
  readonly frontend: Frontend
  readonly ways: readonly Way[]
  readonly onChoose: (place: string | undefined) => void
}

/** Where visitors come in: addresses, where they are sent, and how many there are. */
export function FrontendCard({ frontend, ways, traffic, isRunning, onAsk, onPlot, onChoose }: FrontendCardProps) {
  const { name, kind, mode, binds, redirects } = frontend
  const key = keyOf('frontend', name)
  const row = traffic?.rows.get(key)
  const choose = { onPointerEnter: () => onChoose(key), onPointerLeave: () => onChoose(undefined) }
  const items = () => (
    <>
      <Menu.Item leftSection={<IconEdit size={16} aria-hidden />} onClick={() => onAsk({ what: 'edit-frontend', frontend })}>
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<IconChartLine size={16} aria-hidden />} disabled={!row} onClick={() => onPlot(key)}>
        Plot its traffic
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAsk({ what: 'remove-frontend', name })}>
        Delete
      </Menu.Item>
    </>
  )
  return (
    <article className={classes.card} data-place={`frontend ${name}`} aria-label={`Frontend ${name}`} {...choose}>
      <div className={classes.head}>
        <span className={classes.dot} data-tone={isRunning && row ? toneOf(row.status) : 'plain'} />
        <Title order={3} size="h5" className={classes.name}>
          {name}
        </Title>
        {kind === 'listen' && (
          <Badge variant="default" size="sm" tt="none">
            listen
          </Badge>
        )}
        <Badge variant="default" size="sm">
          {mode}
        </Badge>
        <CardMenu label={`Actions for the frontend ${name}`} items={items} />
      </div>
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
            {condition ?? 'else'} → <b>{backend}</b>
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
          <span>
            <b>{formatCount(row.now.requests)}</b> requests/s
          </span>
          <span>
            <b>{formatCount(row.sessions_current)}</b> sessions
          </span>
          <span>
            in <b>{formatRate(row.now.bytesIn)}</b>
          </span>
          <span>
            out <b>{formatRate(row.now.bytesOut)}</b>
          </span>
        </div>
      )}
    </article>
  )
}
