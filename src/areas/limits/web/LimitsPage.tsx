import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { UsersTabs } from '../../users/web/UsersTabs.tsx'
import type { LimitsOfUsers } from '../model.ts'
import { type Asked, LimitsDialogs } from './LimitsDialogs.tsx'
import { limitsText } from './limit-text.ts'
import { useLimits } from './queries.ts'

type Package = LimitsOfUsers['packages'][number]
type User = LimitsOfUsers['users'][number]

const packageColumns = (onAsk: (asked: Asked) => void): Column<Package>[] => [
  { id: 'name', title: 'Package', value: ({ name }) => name, cell: ({ name }) => name },
  { id: 'limits', title: 'Limits', width: '45%', cell: ({ limits }) => limitsText(limits) },
  { id: 'users', title: 'Users', value: ({ users }) => users, cell: ({ users }) => users },
  {
    id: 'action',
    title: 'Action',
    cell: ({ name, limits, users }) => (
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Edit ${name}`}
          onClick={() => onAsk({ kind: 'package', name, limits })}
        >
          Edit
        </Button>
        <CutOffButton
          size="compact-sm"
          disabled={users > 0}
          aria-label={`Delete ${name}`}
          onClick={() => onAsk({ kind: 'delete', name })}
        >
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

const userColumns = (onAsk: (asked: Asked) => void): Column<User>[] => [
  {
    id: 'user',
    title: 'User',
    value: ({ username }) => username,
    cell: ({ user_id, username }) => <TextLink to={`/users/${user_id}`}>{username}</TextLink>,
  },
  {
    id: 'limits',
    title: 'Limits',
    width: '35%',
    cell: ({ package: name, limits }) => (
      <>
        {name !== null && <Text size="sm">{name}</Text>}
        <Text size={name === null ? 'sm' : 'xs'}>{limitsText(limits)}</Text>
      </>
    ),
  },
  {
    id: 'websites',
    title: 'Websites',
    value: ({ usage }) => usage.websites,
    cell: ({ usage, exceeded }) => (
      <Figure text={String(usage.websites)} isOver={exceeded.includes('websites')} />
    ),
  },
  {
    id: 'disk',
    title: 'Disk',
    value: ({ usage }) => usage.disk_bytes ?? 0,
    cell: ({ usage, exceeded }) => (
      <Figure
        text={usage.disk_bytes === null ? '–' : formatBytes(usage.disk_bytes)}
        isOver={exceeded.includes('disk_mb')}
      />
    ),
  },
  {
    id: 'memory',
    title: 'Memory',
    value: ({ usage }) => usage.memory_bytes ?? 0,
    cell: ({ usage }) => (usage.memory_bytes === null ? '–' : formatBytes(usage.memory_bytes)),
  },
  {
    id: 'tasks',
    title: 'Tasks',
    value: ({ usage }) => usage.tasks ?? 0,
    cell: ({ usage }) => usage.tasks ?? '–',
  },
  {
    id: 'action',
    title: 'Action',
    cell: (user) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Limit ${user.username}`}
        onClick={() => onAsk({ kind: 'user', user })}
      >
        Limit
      </Button>
    ),
  },
]

const Figure = ({ text, isOver }: { readonly text: string; readonly isOver: boolean }) => (
  <Group gap={6}>
    {text}
    {isOver && (
      <Badge variant="light" color="orange" tt="none">
        Exceeded
      </Badge>
    )}
  </Group>
)

/** Packages, and what each hosting user may have and uses. */
export function LimitsPage() {
  const { data, ...query } = useLimits()
  const [asked, setAsked] = useState<Asked>()
  const packages = useWholePage({ ...query, data: data?.packages })
  const users = useWholePage({ ...query, data: data?.users })
  return (
    <Page title="Limits" about="What hosting users may have and use. A package is a named set of limits.">
      <UsersTabs />
      {query.error && !data && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {!query.error && !data && <Loading />}
      {data && (
        <Stack gap="md">
          {data.reason !== null && (
            <Alert color="orange" title="CPU, memory and tasks are not limited here">
              {data.reason}
            </Alert>
          )}
          <Group justify="space-between">
            <Title order={2} size="h4">
              Packages
            </Title>
            <Button size="xs" onClick={() => setAsked({ kind: 'package', name: undefined, limits: {} })}>
              New package
            </Button>
          </Group>
          <DataTable
            label="Packages"
            columns={packageColumns(setAsked)}
            query={packages}
            rowKey={({ name }) => name}
            empty={<Empty title="No packages">A package gives several users the same limits.</Empty>}
          />
          <Title order={2} size="h4">
            Users
          </Title>
          <DataTable
            label="Limits of users"
            columns={userColumns(setAsked)}
            query={users}
            rowKey={({ user_id }) => user_id}
            empty={<Empty title="No hosting users">Users with a Linux account are listed here.</Empty>}
          />
        </Stack>
      )}
      {data && asked && (
        <LimitsDialogs asked={asked} packages={data.packages} onClose={() => setAsked(undefined)} />
      )}
    </Page>
  )
}
