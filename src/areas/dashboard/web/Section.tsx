import { Anchor, Card, Group, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './dashboard.module.css'

interface SectionProps {
  readonly title: string
  /** The page that shows more. */
  readonly link?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A card of the dashboard with its heading. */
export function Section({ title, link, aside, children }: SectionProps) {
  return (
    <Card withBorder radius="lg" p="lg" component="section" aria-label={title}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h4">
          {link === undefined ? (
            title
          ) : (
            <Anchor
              inherit
              className={classes.heading}
              renderRoot={(props) => <Link {...props} to={link as never} />}
            >
              {title}
            </Anchor>
          )}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  )
}
