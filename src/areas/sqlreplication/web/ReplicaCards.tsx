import { Alert, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Fix, ReplicaError, SqlReplicationState } from '../model.ts'
import { sqlreplication } from './api.ts'
import { LagCard } from './LagCard.tsx'
import { done } from './queries.ts'
import { TopologyOfReplica } from './Topology.tsx'

type Replica = NonNullable<SqlReplicationState['replica']>

interface Action {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly said: string
}

const actions = {
  start: {
    title: 'Start the replication',
    label: 'Start',
    call: sqlreplication.startReplication(),
    said: 'The replication was started.',
  },
  stop: {
    title: 'Stop the replication',
    label: 'Stop',
    call: sqlreplication.stopReplication(),
    said: 'The replication was stopped. It catches up when it is started.',
  },
  restart: {
    title: 'Try again now',
    label: 'Try again',
    call: sqlreplication.restartReplication(),
    said: 'The replication was started again.',
  },
  skip: {
    title: 'Leave out this change',
    label: 'Leave it out',
    call: sqlreplication.skipReplicationError(),
    said: 'The change was left out.',
  },
  accounts: {
    title: 'Copy the accounts of the primary',
    label: 'Copy them',
    call: sqlreplication.copyPrimaryAccounts(),
    said: 'The accounts were copied.',
  },
} as const satisfies Readonly<Record<string, Action>>

type Asked = keyof typeof actions | 'sync'

interface Mending {
  /** What is to be done. */
  readonly sentence: string
  /** The actions that do it, the best one first. */
  readonly actions: readonly (Asked | 'end')[]
}

/** What mends an error. */
const mends: Readonly<Record<Fix, Mending>> = {
  wait: { sentence: 'The replica tries again by itself every few seconds.', actions: ['restart'] },
  restart: { sentence: 'Mend that first, then have the replica try again.', actions: ['restart'] },
  skip: {
    sentence:
      'Leave the change out if this host has its result already: the change is lost here. If more may differ, synchronise again.',
    actions: ['skip', 'sync'],
  },
  sync: {
    sentence: 'Synchronise again: this host gets all databases of the primary anew.',
    actions: ['sync'],
  },
  connect: { sentence: 'End the replication here, and connect to the primary again.', actions: ['end'] },
  primary: { sentence: 'Mend the primary, then have the replica try again.', actions: ['restart'] },
}

const labelOf = (action: Asked | 'end'): string => {
  if (action === 'end') return 'End the replication here'
  return action === 'sync' ? 'Synchronise again' : actions[action].title
}

const said: Readonly<Record<Replica['state'], string>> = {
  unsynchronised: 'It has no databases of its primary yet: synchronise it.',
  running: 'It applies every change of its primary.',
  connecting: 'Its primary does not answer. It connects by itself, and catches up.',
  stopped: 'It was stopped, and catches up when it is started.',
  broken: 'It stopped, because a change could not be applied.',
}

interface ReplicaCardsProps {
  readonly state: SqlReplicationState
  readonly replica: Replica
  /** Asks whether to end the replication. */
  readonly onEnd: () => void
}

/** What a replica does, how far it is behind, what it stopped at, and what mends it. */
export function ReplicaCards({ state, replica, onEnd }: ReplicaCardsProps) {
  const [asked, ask] = useState<Asked>()
  const [jobId, setJobId] = useState<number>()
  const close = () => ask(undefined)
  const isStopped = replica.state === 'stopped' || replica.state === 'broken'
  return (
    <Stack gap="lg">
      <SectionCard title="Replica">
        <Group gap="sm" role="status" aria-label="State of the replication">
          <StateBadge state={replica.state} />
          <Text size="sm">{said[replica.state]}</Text>
        </Group>
        <Text size="sm" className="anywhere">
          Primary: {replica.host}, port {replica.port}. Its panel: {replica.url}
        </Text>
        <Text size="sm" className="anywhere">
          Applied up to <Code>{state.gtid || 'none'}</Code>, received up to{' '}
          <Code>{replica.received_gtid || 'none'}</Code>
        </Text>
        {!state.read_only && (
          <Alert color="orange">
            Clients can change data here, which sooner or later stops the replication. Set Read only in
            Settings.
          </Alert>
        )}
        {state.slave_skip_errors !== '' && (
          <Alert color="orange">
            Changes that fail with the errors {state.slave_skip_errors} are lost without a report.
          </Alert>
        )}
        <Group>
          <Button variant="default" onClick={() => ask('sync')}>
            Synchronise
          </Button>
          {replica.state !== 'unsynchronised' && (
            <>
              <Button variant="default" onClick={() => ask('accounts')}>
                Copy accounts
              </Button>
              {isStopped ? (
                <Button onClick={() => ask('start')}>Start</Button>
              ) : (
                <CutOffButton onClick={() => ask('stop')}>Stop</CutOffButton>
              )}
            </>
          )}
        </Group>
      </SectionCard>
      {replica.error && (
        <ErrorCard error={replica.error} onMend={(action) => (action === 'end' ? onEnd() : ask(action))} />
      )}
      <TopologyOfReplica state={state} replica={replica} />
      {replica.state !== 'unsynchronised' && <LagCard replica={replica} />}
      {asked === 'sync' && (
        <SyncDialog
          onClose={close}
          onStarted={(id) => {
            close()
            setJobId(id)
          }}
        />
      )}
      {asked !== undefined && asked !== 'sync' && (
        <ChangeDialog
          title={actions[asked].title}
          confirmLabel={actions[asked].label}
          isCutOff={asked === 'stop'}
          call={actions[asked].call}
          onClose={close}
          onDone={() => done(close, actions[asked].said)}
        />
      )}
      {jobId !== undefined && (
        <JobDialog
          title="Synchronise"
          jobId={jobId}
          onClose={() => done(() => setJobId(undefined), 'The replication was read again.')}
        />
      )}
    </Stack>
  )
}

interface ErrorCardProps {
  readonly error: ReplicaError
  readonly onMend: (action: Asked | 'end') => void
}

function ErrorCard({ error, onMend }: ErrorCardProps) {
  const { sentence, actions: mending } = mends[error.fix]
  return (
    <SectionCard title={`Error ${error.number}`}>
      <Text size="sm">{error.explanation}.</Text>
      <Text size="sm" c="dimmed" className="anywhere">
        MariaDB: {error.message}
      </Text>
      {error.statements.length > 0 && (
        <Code block tabIndex={0} className="anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {error.statements.join('\n')}
        </Code>
      )}
      <Text size="sm">{sentence}</Text>
      <Group>
        {mending.map((action, at) => (
          <Button key={action} variant={at === 0 ? 'filled' : 'default'} onClick={() => onMend(action)}>
            {labelOf(action)}
          </Button>
        ))}
      </Group>
    </SectionCard>
  )
}

interface SyncDialogProps {
  readonly onClose: () => void
  readonly onStarted: (jobId: number) => void
}

function SyncDialog({ onClose, onStarted }: SyncDialogProps) {
  const [overwrite, setOverwrite] = useState(false)
  return (
    <ChangeDialog
      title="Synchronise"
      confirmLabel="Synchronise"
      call={sqlreplication.synchroniseReplica({ body: { overwrite } })}
      onClose={onClose}
      onDone={({ job_id }: { readonly job_id: number }) => onStarted(job_id)}
    >
      <Checkbox
        label="Replace databases of this host that the primary has too"
        checked={overwrite}
        onChange={(event) => setOverwrite(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
