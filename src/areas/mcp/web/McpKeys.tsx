import { Button, Code, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { permissions } from '../../../core/permissions.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { textOf } from '../../../web/wire.ts'
import type { Budget, McpKey } from '../model.ts'
import { mcp } from './api.ts'
import { readKeysAgain, useMcpKeys, useToggleKey } from './queries.ts'
import { RecentCalls } from './RecentCalls.tsx'

/** The keys of all owners, with a switch for each. */
export function McpKeys() {
  const keys = useWholePage(useMcpKeys())
  const toggle = useToggleKey()
  const [dying, setDying] = useState<McpKey>()
  const [watched, setWatched] = useState<McpKey>()
  const turn = (key: McpKey) =>
    toggle.mutate(key.id, {
      onSuccess: () => notify(`${key.name} is ${key.enabled ? 'disabled' : 'enabled'}.`),
      onError: (error) => notify(textOf(error), true),
    })
  const columns: Column<McpKey>[] = [
    {
      id: 'name',
      title: 'Name',
      cell: ({ name, key_prefix }) => (
        <>
          <div>{name}</div>
          <Code>{key_prefix}…</Code>
        </>
      ),
    },
    { id: 'owner', title: 'Owner', cell: ({ username }) => username },
    { id: 'rights', title: 'May do now', cell: (key) => <Rights of={key} /> },
    {
      id: 'expires',
      title: 'Expires',
      cell: ({ expires_at }) => (expires_at ? <Moment time={expires_at} /> : 'Never'),
    },
    { id: 'used', title: 'Last used', cell: ({ last_used }) => <Moment time={last_used ?? null} /> },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: (key) => (
        <Group gap="sm" justify="flex-end">
          <Switch
            checked={key.enabled}
            disabled={toggle.isPending}
            aria-label={`The key ${key.name} is enabled`}
            onChange={() => turn(key)}
          />
          <Button
            size="xs"
            variant="default"
            aria-label={`Calls with the key ${key.name}`}
            onClick={() => setWatched(key)}
          >
            Calls
          </Button>
          <CutOffButton size="xs" aria-label={`Delete the key ${key.name}`} onClick={() => setDying(key)}>
            Delete
          </CutOffButton>
        </Group>
      ),
    },
  ]
  return (
    <SectionCard title="Keys">
      <DataTable
        label="MCP keys"
        columns={columns}
        query={keys}
        rowKey={({ id }) => id}
        empty={<Empty title="No keys">A key lets an agent use the panel in the name of its owner.</Empty>}
      />
      {watched && <RecentCalls mcpKey={watched} onClose={() => setWatched(undefined)} />}
      {dying && (
        <ChangeDialog
          title={`Delete the key ${dying.name}`}
          confirmLabel="Delete the key"
          call={mcp.deleteKey({ params: { id: dying.id } })}
          onClose={() => setDying(undefined)}
          onDone={async () => {
            setDying(undefined)
            notify('The key was deleted.')
            await readKeysAgain()
          }}
        >
          <Text size="sm">Agents that use it are rejected from now on.</Text>
        </ChangeDialog>
      )}
    </SectionCard>
  )
}

/** What a key allows with the rights that its owner has now, in the words of the permissions. */
function Rights({ of: key }: { readonly of: McpKey }) {
  const { scopes, rights_now: now, read_only: isReadOnly, approve, budget, used } = key
  const lost = now.is_superuser ? [] : scopes.filter((slug) => !now.permissions.includes(slug))
  return (
    <>
      {rightsText(key)}
      {now.state === 'active' && lost.length > 0 && (
        <Text size="xs" c="dimmed">
          In its scopes, but not permitted to the owner: {titlesOf(lost)}
        </Text>
      )}
      {isReadOnly && (
        <Text size="xs" c="dimmed">
          Read-only
        </Text>
      )}
      {approve && (
        <Text size="xs" c="dimmed">
          Changes wait for approval
        </Text>
      )}
      {Object.keys(budget).length > 0 && (
        <Text size="xs" c="dimmed">
          In an hour: {budgetText(budget, used)}
        </Text>
      )}
    </>
  )
}

const titlesOf = (slugs: readonly string[]): string =>
  Object.entries(permissions)
    .flatMap(([slug, title]) => (slugs.includes(slug) ? [title] : []))
    .join(', ')

const refusals = {
  disabled: 'Nothing: the key is disabled',
  expired: 'Nothing: the key has expired',
  owner_suspended: 'Nothing: the owner is suspended',
} as const

function rightsText({ scopes, rights_now: { state, is_superuser: isSuperuser, permissions: held } }: McpKey) {
  if (state !== 'active') return refusals[state]
  if (isSuperuser && scopes.length === 0) return 'Everything a superuser may do'
  return held.length === 0 ? 'Only what needs no permission' : titlesOf(held)
}

/** What was used of a budget: 3 of 100 calls, 0 of 5 changes, 2 KiB of 1 MiB of answers. */
const budgetText = ({ calls, changes, bytes }: Budget, used: McpKey['used']): string =>
  [
    calls !== undefined && `${used?.calls ?? 0} of ${calls} calls`,
    changes !== undefined && `${used?.changes ?? 0} of ${changes} changes`,
    bytes !== undefined && `${formatBytes(used?.bytes ?? 0)} of ${formatBytes(bytes)} of answers`,
  ]
    .filter((part) => part !== false)
    .join(', ')
