import { Group, Text } from '@mantine/core'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Replica, SqlReplicationState } from '../model.ts'
import classes from './Topology.module.css'

interface Server {
  readonly key: string
  readonly name: string
  /** What it is in the replication. */
  readonly role: 'Primary' | 'Replica'
  /** True for the server of this host. */
  readonly isOwn: boolean
  readonly state: string
  readonly facts: readonly string[]
}

interface TopologyProps {
  readonly primary: Server
  readonly replicas: readonly Server[]
}

/** The servers of the replication: the primary, and below it those that follow it. */
function Topology({ primary, replicas }: TopologyProps) {
  return (
    <SectionCard title="Topology">
      <ul className={classes.servers} aria-label="Servers of the replication">
        <li>
          <ServerBox server={primary} />
          {replicas.length > 0 && (
            <ul className={classes.followers} aria-label={`Replicas of ${primary.name}`}>
              {replicas.map((server) => (
                <li key={server.key}>
                  <ServerBox server={server} />
                </li>
              ))}
            </ul>
          )}
        </li>
      </ul>
    </SectionCard>
  )
}

const ServerBox = ({ server: { name, role, isOwn, state, facts } }: { readonly server: Server }) => (
  <div className={classes.server} data-own={isOwn}>
    <Group gap="4px 10px">
      <Text fw={650} size="sm" className="anywhere">
        {name}
      </Text>
      <StateBadge state={state} />
    </Group>
    <Text size="xs" c="dimmed" className="anywhere">
      {[role, ...facts].join(' · ')}
    </Text>
  </div>
)

interface OfPrimaryProps {
  readonly state: SqlReplicationState
  /** Absent until they are read. */
  readonly replicas: readonly Replica[] | undefined
}

/** The topology as a primary knows it: which replicas receive changes, and which of them were sent all. */
export const TopologyOfPrimary = ({ state, replicas }: OfPrimaryProps) => (
  <Topology
    primary={{
      key: 'own',
      name: 'This server',
      role: 'Primary',
      isOwn: true,
      state: 'active',
      facts: [`server id ${state.server_id}`],
    }}
    replicas={(replicas ?? []).map(({ id, name, connected, up_to_date, address }) => ({
      key: String(id),
      name,
      role: 'Replica',
      isOwn: false,
      state: connected ? 'running' : 'stopped',
      facts: connected
        ? [
            `from ${address ?? 'an unknown address'}`,
            up_to_date ? 'was sent every change' : 'is being sent changes',
          ]
        : ['not connected'],
    }))}
  />
)

type Followed = NonNullable<SqlReplicationState['replica']>

interface OfReplicaProps {
  readonly state: SqlReplicationState
  readonly replica: Followed
}

/** The topology as a replica knows it: its primary, and how far it is behind. */
export const TopologyOfReplica = ({ state, replica }: OfReplicaProps) => (
  <Topology
    primary={{
      key: 'primary',
      name: `${replica.host}:${replica.port}`,
      role: 'Primary',
      isOwn: false,
      state: primaryStates[replica.state],
      facts: [replica.url],
    }}
    replicas={[
      {
        key: 'own',
        name: 'This server',
        role: 'Replica',
        isOwn: true,
        state: replica.state,
        facts: [
          `server id ${state.server_id}`,
          replica.lag_seconds === null ? 'lag not known' : `${replica.lag_seconds} s behind`,
        ],
      },
    ]}
  />
)

/** A replica knows of its primary only whether it answers. */
const primaryStates: Readonly<Record<Followed['state'], string>> = {
  running: 'active',
  connecting: 'not_answering',
  unsynchronised: 'unknown',
  stopped: 'unknown',
  broken: 'unknown',
}
