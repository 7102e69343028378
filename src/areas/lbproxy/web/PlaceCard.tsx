import { Badge, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CardMenu } from './CardMenu.tsx'
import classes from './Picture.module.css'
import type { Tone } from './states.ts'
import { keyOf } from './traffic.ts'

interface PlaceCardProps {
  readonly kind: 'frontend' | 'backend'
  readonly name: string
  readonly mode: string
  /** The state, as a color. */
  readonly tone: Tone
  /** The content between name and mode. */
  readonly badge: ReactNode
  /** The menu items, made when the menu is first opened. */
  readonly items: () => ReactNode
  readonly onChoose: (place: string | undefined) => void
  readonly children: ReactNode
}

/**
 * One card of the diagram: name, state and actions; its lines are highlighted while the pointer is over it.
 */
export function PlaceCard({ kind, name, mode, tone, badge, items, onChoose, children }: PlaceCardProps) {
  const label = `${kind === 'backend' ? 'Backend' : 'Frontend'} ${name}`
  const choose = {
    onPointerEnter: () => onChoose(keyOf(kind, name)),
    onPointerLeave: () => onChoose(undefined),
  }
  return (
    <article className={classes.card} data-place={`${kind} ${name}`} aria-label={label} {...choose}>
      <div className={classes.head}>
        <span className={classes.dot} data-tone={tone} />
        <Title order={3} size="h5" className={classes.name}>
          {name}
        </Title>
        {badge}
        <Badge variant="default" size="sm">
          {mode}
        </Badge>
        <CardMenu label={`Actions for the ${kind} ${name}`} items={items} />
      </div>
      {children}
    </article>
  )
}
