import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useUnread } from '../../../areas/notifications/web/queries.ts'
import { Loading } from '../../kit/states.tsx'

const NewestNotifications = lazy(() =>
  import('./NewestNotifications.tsx').then(({ NewestNotifications: component }) => ({ default: component })),
)

/** The unread notifications, behind a bell with their number. */
export function NotificationsMenu() {
  const [isOpen, setOpen] = useState(false)
  const unread = useUnread().data?.unread ?? 0
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus shadow="md">
      <Indicator
        label={unread > 99 ? '99+' : unread}
        disabled={unread === 0}
        size={16}
        offset={4}
        color="red.9"
      >
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBell size={18} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown maw="calc(100vw - 16px)">
        <Suspense fallback={<Loading rows={2} />}>
          <NewestNotifications onLeave={() => setOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
