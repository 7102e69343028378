import { List, Text } from '@mantine/core'
import type { Item } from '../queries.ts'

const mostNamed = 6

/** The names of the affected entries: the first few, and the number of the others. */
export function Names({ items }: { readonly items: readonly Item[] }) {
  const more = items.length - mostNamed
  return (
    <List size="sm" spacing={2} aria-label="Entries">
      {items.slice(0, mostNamed).map(({ name, label, type }) => (
        <List.Item key={name} className="anywhere">
          {label}
          {type === 'folder' && (
            <Text span size="sm" c="dimmed">
              {' '}
              · folder with everything in it
            </Text>
          )}
        </List.Item>
      ))}
      {more > 0 && <List.Item>and {more.toLocaleString()} more</List.Item>}
    </List>
  )
}
