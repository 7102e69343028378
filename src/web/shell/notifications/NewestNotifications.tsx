import { Anchor, Button, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { titleOf, useMarkRead, useNotifications } from '../../../areas/notifications/web/queries.ts'
import { Moment } from '../../kit/Moment.tsx'
import { Loading } from '../../kit/states.tsx'

const mostShown = 10

/** The newest unread notifications, each a link that marks it as read. */
export function NewestNotifications({ onLeave }: { readonly onLeave: () => void }) {
  const { data } = useNotifications({ read: 0, per_page: mostShown, sort: '-last_at' })
  const marking = useMarkRead()
  return (
    <Stack gap="md">
      {data === undefined && <Loading rows={2} />}
      {data?.items.length === 0 && <Text size="sm">No unread notifications.</Text>}
      {data && data.items.length > 0 && (
        <ScrollArea.Autosize mah="60vh" type="auto">
          <Stack gap="md">
            {data.items.map((each) => (
              <div key={each.id}>
                <PageLink
                  to={each.link || '/notifications'}
                  onLeave={() => {
                    marking.mutate({ ids: [each.id] })
                    onLeave()
                  }}
                >
                  {titleOf(each)}
                </PageLink>
                <Text size="xs" c="dimmed" lineClamp={2} className="anywhere">
                  {each.message}
                </Text>
                <Text size="xs" c="dimmed">
                  <Moment time={each.last_at} />
                </Text>
              </div>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      <Group justify="space-between">
        <PageLink to="/notifications" onLeave={onLeave}>
          All notifications
        </PageLink>
        {data && data.total > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => marking.mutate({ all: true })}>
            Mark all as read
          </Button>
        )}
      </Group>
    </Stack>
  )
}

interface PageLinkProps {
  readonly to: string
  readonly onLeave: () => void
  readonly children: string
}

const PageLink = ({ to, onLeave, children }: PageLinkProps) => (
  <Anchor
    size="sm"
    fw={550}
    className="anywhere"
    renderRoot={(props) => <Link {...props} to={to as never} onClick={onLeave} />}
  >
    {children}
  </Anchor>
)
