import { Alert, Button, Text } from '@mantine/core'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { RowLink } from '../../../web/kit/RowLink.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { textOf } from '../../../web/wire.ts'
import type { MailboxStatus, MailboxUser } from '../model.ts'
import { mailboxBackup } from './api.ts'
import { carryOut, useMailboxStatus, useMailboxUsers } from './queries.ts'

/** The mailboxes of the directory and those that have a backup. */
export function MailboxTable() {
  const { data, ...query } = useMailboxUsers()
  const { data: status } = useMailboxStatus()
  const ongoing = new Map((status?.running ? status.mailboxes : []).map((each) => [each.email, each]))
  const excluded = (data?.users ?? []).filter((user) => user.excluded).map(({ email }) => email)
  const toggle = ({ email, excluded: isExcluded }: MailboxUser) => {
    const users = isExcluded ? excluded.filter((each) => each !== email) : [...excluded, email]
    carryOut(mailboxBackup.excludeMailboxes({ body: { excluded_users: users } })).catch((error: unknown) =>
      notify(textOf(error), true),
    )
  }
  return (
    <section aria-label="Mailboxes">
      {data !== undefined && data.error !== '' && (
        <Alert color="orange" mb="sm" title="The directory cannot be read">
          {data.error}
        </Alert>
      )}
      <DataTable
        label="Mailboxes"
        columns={columnsOf(toggle, ongoing)}
        query={useWholePage({ ...query, data: data?.users })}
        rowKey={({ email }) => email}
        empty={<Empty title="No mailboxes yet">Set the identity provider, and test it.</Empty>}
      />
    </section>
  )
}

type Ongoing = MailboxStatus['mailboxes'][number]

/** How far the backup of a mailbox is. */
const progressOf = ({ done_folders, all_folders, new_messages }: Ongoing): string =>
  `${done_folders} of ${all_folders} folders, ${new_messages} new messages`

const columnsOf = (
  onToggle: (user: MailboxUser) => void,
  ongoing: ReadonlyMap<string, Ongoing>,
): readonly Column<MailboxUser>[] => [
  {
    id: 'email',
    title: 'Mailbox',
    value: ({ email }) => email,
    cell: ({ email, display_name, last_success }) => (
      <>
        {last_success === null ? (
          <Text size="sm" fw={600} className="anywhere">
            {email}
          </Text>
        ) : (
          <RowLink to={`/settings/mailboxes/${encodeURIComponent(email)}`}>{email}</RowLink>
        )}
        <Text size="xs" c="dimmed" className="anywhere">
          {display_name}
        </Text>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state ?? '',
    cell: (user) => <BackupState user={user} ongoing={ongoing.get(user.email)} />,
  },
  { id: 'messages', title: 'Messages', value: ({ messages }) => messages, cell: ({ messages }) => messages },
  {
    id: 'size',
    title: 'Size',
    value: ({ size_bytes }) => size_bytes,
    cell: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    id: 'last',
    title: 'Last success',
    value: ({ last_success }) => last_success ?? '',
    cell: ({ last_success }) => (last_success === null ? '–' : <Moment time={last_success} />),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (user) => (
      <Button
        size="compact-xs"
        variant="light"
        aria-label={`${user.excluded ? 'Include' : 'Exclude'} ${user.email}`}
        onClick={() => onToggle(user)}
      >
        {user.excluded ? 'Include' : 'Exclude'}
      </Button>
    ),
  },
]

interface BackupStateProps {
  readonly user: MailboxUser
  readonly ongoing: Ongoing | undefined
}

function BackupState({ user, ongoing }: BackupStateProps) {
  const state = ongoing?.state ?? user.state ?? 'never backed up'
  const told = ongoing?.state === 'running' ? progressOf(ongoing) : (ongoing ?? user).message
  const isExcluded = user.excluded && state !== 'running'
  return (
    <>
      <StateBadge state={isExcluded ? 'excluded' : state} />
      {told !== '' && (
        <Text size="xs" c="dimmed" className="anywhere">
          {told}
        </Text>
      )}
    </>
  )
}
