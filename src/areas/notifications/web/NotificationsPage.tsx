import { Box, Button, NativeSelect, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { RowLink } from '../../../web/kit/RowLink.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Notification } from '../model.ts'
import { notifications } from './api.ts'
import { NotificationTabs } from './NotificationTabs.tsx'
import { titleOf, useDeleteNotifications, useMarkRead, useNotifications, useUnread } from './queries.ts'

/** What the panel has told its user. */
export function NotificationsPage() {
  const list = useListState('-last_at')
  const [isUnread, setUnread] = useState(false)
  const [isEmptying, setEmptying] = useState(false)
  const query = useNotifications({ ...list.asked, ...(isUnread && { read: 0 }) })
  const unread = useUnread().data?.unread ?? 0
  const marking = useMarkRead()
  const deleting = useDeleteNotifications()
  const columns: Column<Notification>[] = [
    { id: 'title', title: 'Notification', sort: 'title', width: '60%', cell: (row) => <Told row={row} /> },
    { id: 'when', title: 'When', sort: 'last_at', cell: ({ last_at }) => <Moment time={last_at} /> },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: ({ id, read, title }) => (
        <>
          {read === 0 && (
            <Button
              size="xs"
              variant="default"
              mr="xs"
              aria-label={`Mark as read: ${title}`}
              onClick={() => marking.mutate({ ids: [id] })}
            >
              Mark as read
            </Button>
          )}
          <CutOffButton
            size="xs"
            aria-label={`Delete: ${title}`}
            onClick={() => deleting.mutate({ ids: [id] })}
          >
            Delete
          </CutOffButton>
        </>
      ),
    },
  ]
  return (
    <Page
      title="Notifications"
      about="What happened while you did not look. They are kept for 90 days."
      actions={
        <>
          <Button variant="default" disabled={unread === 0} onClick={() => marking.mutate({ all: true })}>
            Mark all as read
          </Button>
          <Button variant="default" disabled={query.data?.total === 0} onClick={() => setEmptying(true)}>
            Delete all
          </Button>
        </>
      }
    >
      <NotificationTabs />
      <DataTable
        label="Notifications"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search notifications"
        filters={
          <NativeSelect
            aria-label="State"
            value={isUnread ? 'unread' : ''}
            data={[
              { value: '', label: 'Read and unread' },
              { value: 'unread', label: 'Unread' },
            ]}
            onChange={(event) => {
              setUnread(event.currentTarget.value === 'unread')
              list.setPage(1)
            }}
          />
        }
        empty={
          <Empty title="No notifications">
            Failed jobs and services, full disks and sign-ins from new addresses appear here.
          </Empty>
        }
      />
      {isEmptying && (
        <ChangeDialog
          title="Delete all notifications"
          confirmLabel="Delete all"
          call={notifications.deleteNotifications({ body: { all: true } })}
          onClose={() => setEmptying(false)}
          onDone={() => {
            setEmptying(false)
            notify('All notifications were deleted.')
            return readAgain('notifications')
          }}
        />
      )}
    </Page>
  )
}

function Told({ row }: { readonly row: Notification }) {
  const marking = useMarkRead()
  const shown = titleOf(row)
  const markRead = () => row.read === 0 && marking.mutate({ ids: [row.id] })
  return (
    <>
      <Box fw={row.read === 0 ? 650 : 400} onClick={markRead}>
        {row.read === 0 && <VisuallyHidden>Unread: </VisuallyHidden>}
        {row.link === '' ? shown : <RowLink to={row.link}>{shown}</RowLink>}
      </Box>
      <Text size="xs" c="dimmed" lineClamp={3} className="anywhere">
        {row.message}
      </Text>
    </>
  )
}
