import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type Peer, PeerDraft, type PeerPushed, type PeersPushed } from '../peers/model.ts'
import { dnslb } from './api.ts'
import { DnslbFrame } from './DnslbFrame.tsx'
import { done, usePeers, usePeerTest } from './queries.ts'

const text = {
  name: { label: 'Name' },
  host: { label: 'Host', hint: 'Host name or IP address of the other panel' },
  port: { label: 'Port' },
  api_key: {
    label: 'API key',
    hint: 'Created on the other panel, by a user who may administer its DNS balancer',
  },
  public_key: {
    label: 'Public key',
    hint: 'SHA-256 of the public key of the other panel, if its certificate is not trusted here',
  },
}

interface Asking {
  readonly what: 'push' | 'remove'
  readonly peer: Peer
}

const columnsOf = (
  ask: (asking: Asking) => void,
  test: ReturnType<typeof usePeerTest>,
): readonly Column<Peer>[] => [
  { id: 'name', title: 'Server', cell: ({ name }) => name },
  { id: 'host', title: 'Address', cell: ({ host, port }) => `${host}, port ${port}` },
  { id: 'status', title: 'State', cell: ({ status }) => <StateBadge state={status} /> },
  { id: 'check', title: 'Last test', cell: ({ last_check }) => <Moment time={last_check} /> },
  { id: 'sync', title: 'Last sync', cell: ({ last_sync }) => <Moment time={last_sync} /> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (peer) => (
      <Group gap={4} justify="flex-end">
        <Button
          size="xs"
          variant="default"
          loading={test.isPending && test.variables.id === peer.id}
          aria-label={`Test ${peer.name}`}
          onClick={() => test.mutate(peer)}
        >
          Test
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Sync ${peer.name}`}
          onClick={() => ask({ what: 'push', peer })}
        >
          Sync
        </Button>
        <CutOffButton
          size="xs"
          aria-label={`Remove ${peer.name}`}
          onClick={() => ask({ what: 'remove', peer })}
        >
          Remove
        </CutOffButton>
      </Group>
    ),
  },
]

/** The other panels that get the lists of this one. */
export function PeersPage() {
  const { data, ...query } = usePeers()
  const page = useWholePage({ ...query, data: data?.servers })
  const test = usePeerTest()
  const [isAdding, setAdding] = useState(false)
  const [isPushing, setPushing] = useState(false)
  const [asking, ask] = useState<Asking>()
  const close = () => ask(undefined)
  return (
    <DnslbFrame
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            disabled={!data || data.servers.length === 0}
            onClick={() => setPushing(true)}
          >
            Sync all
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add another server
          </Button>
        </>
      }
    >
      <DataTable
        label="Other servers"
        columns={columnsOf(ask, test)}
        query={page}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No other servers yet">
            Add another panel whose balancer gets the lists of this one.
          </Empty>
        }
      />
      {isAdding && (
        <PlannedForm
          title="Add another server"
          confirmLabel="Add"
          schema={PeerDraft}
          text={text}
          callOf={(body: PeerDraft) => dnslb.addPeer({ body })}
          onClose={() => setAdding(false)}
          onDone={() => done(() => setAdding(false), 'The server was added.')}
        />
      )}
      {asking?.what === 'push' && (
        <PushDialog
          title={`Sync ${asking.peer.name}`}
          call={dnslb.syncPeer({ params: { id: asking.peer.id } })}
          onClose={close}
          onDone={({ success, message }: Static<typeof PeerPushed>) =>
            done(
              close,
              success ? `${asking.peer.name} has the lists.` : `${asking.peer.name}: ${message}`,
              !success,
            )
          }
        />
      )}
      {isPushing && (
        <PushDialog
          title="Sync all other servers"
          call={dnslb.syncAllPeers()}
          onClose={() => setPushing(false)}
          onDone={({ results }: Static<typeof PeersPushed>) =>
            done(
              () => setPushing(false),
              outcomeOf(results),
              results.some(({ success }) => !success),
            )
          }
        />
      )}
      {asking?.what === 'remove' && (
        <ChangeDialog
          title={`Remove ${asking.peer.name}`}
          confirmLabel="Remove"
          call={dnslb.deletePeer({ params: { id: asking.peer.id } })}
          onClose={close}
          onDone={() => done(close, `${asking.peer.name} was removed.`)}
        >
          <Text size="sm">The lists that it has stay there.</Text>
        </ChangeDialog>
      )}
    </DnslbFrame>
  )
}

interface PushDialogProps {
  readonly title: string
  readonly call: Call
  readonly onClose: () => void
  readonly onDone: (reply: any) => unknown
}

const PushDialog = (props: PushDialogProps) => (
  <ChangeDialog {...props} confirmLabel="Sync">
    <Text size="sm">All lists of the other server are replaced; its servers and rules stay.</Text>
  </ChangeDialog>
)

const outcomeOf = (results: Static<typeof PeersPushed>['results']): string =>
  results
    .map(({ name, success, message }) => (success ? `${name} has the lists.` : `${name}: ${message}`))
    .join(' ')
