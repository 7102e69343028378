import { Badge, Group, Stack, Text } from '@mantine/core'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Tile, TileItem } from '../model.ts'
import { Section } from './Section.tsx'

const looks = {
  ok: { color: 'green', label: 'OK' },
  attention: { color: 'orange', label: 'Needs attention' },
  failing: { color: 'red', label: 'Failing' },
} as const

/** What one area says of its state; a tile that could not be read says why. */
export function TileCard({ tile }: { readonly tile: Tile }) {
  const { title, link, state, summary, items, error } = tile
  const look = state === 'none' ? undefined : looks[state]
  return (
    <Section
      title={title}
      link={link}
      aside={
        look && (
          <Badge variant="light" color={look.color} tt="none" fw={600}>
            {error === null ? look.label : 'Not read'}
          </Badge>
        )
      }
    >
      <Stack gap="sm">
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" className="anywhere">
            {error}
          </Text>
        )}
        {summary && <Text size="sm">{summary}</Text>}
        {items.length > 0 && (
          <Stack gap={10} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {items.map((item, index) => (
              <ItemRow key={index} item={item} />
            ))}
          </Stack>
        )}
      </Stack>
    </Section>
  )
}

function ItemRow({ item: { title, detail, link, state, time } }: { readonly item: TileItem }) {
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          {link === null ? (
            <Text size="sm" fw={550} className="anywhere">
              {title}
            </Text>
          ) : (
            <TextLink to={link}>{title}</TextLink>
          )}
          {(detail || time) && (
            <Text size="xs" c="dimmed" lineClamp={2} className="anywhere">
              {detail}
              {detail && time && ' · '}
              {time && <Moment time={time} />}
            </Text>
          )}
        </div>
        {state !== null && <StateBadge state={state} />}
      </Group>
    </li>
  )
}
