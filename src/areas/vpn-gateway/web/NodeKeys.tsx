import { Button, Code } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type VpnPreAuthKey, VpnPreAuthKeyDraft } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, usePreAuthKeys, useUsers } from './queries.ts'

const text = (users: readonly string[]) => ({
  user: { label: 'User', hint: 'The nodes belong to this user', choices: users },
  reusable: { label: 'Several nodes may join with it' },
  ephemeral: { label: 'Its nodes are removed when they go offline' },
  valid_hours: { label: 'Valid for hours' },
})

const stateOf = ({ expired, used, reusable }: VpnPreAuthKey): string =>
  expired ? 'expired' : used && !reusable ? 'used' : 'active'

const columnsWith = (expire: (key: VpnPreAuthKey) => void): readonly Column<VpnPreAuthKey>[] => [
  { id: 'key', title: 'Key', cell: ({ prefix }) => <Code className="anywhere">{prefix}</Code> },
  { id: 'user', title: 'User', value: ({ user }) => user ?? '', cell: ({ user }) => user ?? '–' },
  { id: 'for', title: 'Joins', cell: ({ reusable }) => (reusable ? 'Several nodes' : 'One node') },
  { id: 'state', title: 'State', cell: (key) => <StateBadge state={stateOf(key)} /> },
  { id: 'expires', title: 'Expires', cell: ({ expires_at }) => <Moment time={expires_at} /> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (key) =>
      stateOf(key) === 'active' && (
        <CutOffButton size="xs" aria-label={`Expire ${key.prefix}`} onClick={() => expire(key)}>
          Expire
        </CutOffButton>
      ),
  },
]

/** The keys with which nodes join; each is shown once. */
export function NodeKeys() {
  const { data: users = [] } = useUsers()
  const [isMaking, setMaking] = useState(false)
  const [expiring, expire] = useState<VpnPreAuthKey>()
  const [made, setMade] = useState<string>()
  const stop = () => setMaking(false)
  const close = () => expire(undefined)
  return (
    <>
      <DataTable
        label="Keys of nodes"
        columns={columnsWith(expire)}
        query={useWholePage(usePreAuthKeys())}
        rowKey={({ id }) => id}
        filters={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
            Make a key
          </Button>
        }
        empty={<Empty title="No keys yet">A computer joins with a key of its user.</Empty>}
      />
      {isMaking && (
        <PlannedForm
          title="Make a key"
          confirmLabel="Make"
          schema={VpnPreAuthKeyDraft}
          text={text(users.map(({ name }) => name))}
          callOf={(body: VpnPreAuthKeyDraft) => vpnGateway.createVpnPreAuthKey({ body })}
          onClose={stop}
          onDone={({ key, server_url }: { key: string; server_url: string }) => {
            setMade(`tailscale up --login-server ${server_url} --auth-key ${key}`)
            return done(stop, 'The key was made.')
          }}
        />
      )}
      {expiring && (
        <ChangeDialog
          title={`Expire ${expiring.prefix}`}
          confirmLabel="Expire"
          call={vpnGateway.expireVpnPreAuthKey({ body: { id: expiring.id } })}
          onClose={close}
          onDone={() => done(close, 'No further node joins with the key.')}
        />
      )}
      {made !== undefined && (
        <OnceShownDialog
          title="Join a node"
          label="command with its key"
          secret={made}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
