import { Badge, Button, Group, NativeSelect, Pagination, Text, TextInput } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { MailMessage } from '../model.ts'
import { FolderActions } from './FolderActions.tsx'
import { MessageDialog } from './MessageDialog.tsx'
import { type Shown, useMessages } from './queries.ts'

/** The folders and messages in the backup of a mailbox. */
export function MailboxPage() {
  const { email = '' }: { email?: string } = useParams({ strict: false })
  const [shown, setShown] = useState<Shown>({ page: 1 })
  const [open, setOpen] = useState<MailMessage>()
  const { data, ...query } = useMessages(email, shown)
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / 50))
  return (
    <Page
      title={email}
      about={data === undefined ? 'Messages in the backup.' : `${data.total} messages in the backup.`}
      actions={
        <LinkButton to="/settings/mailboxes" variant="default">
          All mailboxes
        </LinkButton>
      }
    >
      <Group align="flex-end">
        <NativeSelect
          label="Folder"
          data={[
            { value: '', label: 'All folders' },
            ...(data?.folders ?? []).map(({ name, count }) => ({ value: name, label: `${name} (${count})` })),
          ]}
          value={shown.folder ?? ''}
          onChange={({ currentTarget }) => setShown(shownOf(currentTarget.value, shown.search))}
        />
        <SearchForm onSearch={(search) => setShown(shownOf(shown.folder, search))} />
        {shown.folder !== undefined && <FolderActions email={email} folder={shown.folder} />}
      </Group>
      <DataTable
        label={`Messages of ${email}`}
        columns={columnsOf(setOpen)}
        query={useWholePage({ ...query, data: data?.messages })}
        rowKey={({ id }) => id}
        empty={<Empty title="No messages">There are none in this folder or with this text.</Empty>}
      />
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={shown.page}
          onChange={(page) => setShown({ ...shown, page })}
          aria-label={`Pages of the messages of ${email}`}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
        />
      )}
      {open && <MessageDialog email={email} message={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const shownOf = (folder: string | undefined, search: string | undefined): Shown => ({
  ...(folder && { folder }),
  ...(search && { search }),
  page: 1,
})

function SearchForm({ onSearch }: { readonly onSearch: (search: string) => void }) {
  const [search, setSearch] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(search)
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Subject or sender"
          value={search}
          maxLength={200}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
      </Group>
    </form>
  )
}

const columnsOf = (onOpen: (message: MailMessage) => void): readonly Column<MailMessage>[] => [
  {
    id: 'subject',
    title: 'Subject',
    cell: (message) => (
      <Button
        variant="subtle"
        size="compact-sm"
        className="anywhere"
        fw={message.is_read ? 400 : 700}
        onClick={() => onOpen(message)}
      >
        {message.subject || '(no subject)'}
      </Button>
    ),
  },
  {
    id: 'from',
    title: 'From',
    cell: ({ from_name, from_email }) => (
      <>
        <Text size="sm" className="anywhere">
          {from_name || from_email}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {from_email}
        </Text>
      </>
    ),
  },
  { id: 'folder', title: 'Folder', cell: ({ folder }) => <span className="anywhere">{folder}</span> },
  { id: 'date', title: 'Received', cell: ({ date }) => <Moment time={date} /> },
  {
    id: 'marks',
    title: 'Marks',
    cell: ({ has_attachments, status }) => (
      <Group gap={4}>
        {has_attachments && (
          <Badge variant="light" color="gray" tt="none">
            Attachments
          </Badge>
        )}
        {status === 'deleted' && (
          <Badge variant="light" color="orange" tt="none">
            Deleted
          </Badge>
        )}
      </Group>
    ),
  },
]
