import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { pageOf } from '../../../web/kit/paged-rows.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { type Replication, ReplicationDraft, type SecondaryZone } from '../replication/model.ts'
import { authdns } from './api.ts'
import { DnsFrame } from './DnsFrame.tsx'
import { useDnsStatus, useReplication } from './queries.ts'
import { done } from './ZoneDialogs.tsx'

type Values = Readonly<Record<string, unknown>>
const isMaster = ({ role }: Values) => role === 'master'
const isSlave = ({ role }: Values) => role === 'slave'

const text = {
  role: {
    label: 'Role',
    hint: 'Zones are transferred from a primary to its secondaries; those of a native server are not',
    labels: { native: 'Native', master: 'Primary', slave: 'Secondary' },
  },
  allow_axfr_ips: { label: 'Transfers allowed to', when: isMaster },
  also_notify: { label: 'Also notify', when: isMaster },
  master_ip: { label: 'Primary server', when: isSlave },
  autosecondary: {
    label: 'Create new zones',
    hint: 'Those that the primary announces with the name of this server',
    when: isSlave,
  },
  nameserver: {
    label: 'Name of this server',
    hint: 'Among the name servers of the zones that are created',
    when: (values: Values) => isSlave(values) && values['autosecondary'] === true,
  },
}

const columns: readonly Column<SecondaryZone>[] = [
  { id: 'name', title: 'Zone', sort: 'name', value: ({ name }) => name, cell: ({ name }) => name },
  { id: 'status', title: 'State', sort: 'status', value: (zone) => zone.status, cell: (zone) => zone.status },
  { id: 'serial', title: 'Serial', cell: ({ serial }) => serial },
  { id: 'check', title: 'Last check', cell: ({ last_check: time }) => <Moment time={time} /> },
]

/** The part of this server in the replication of zones, and the state of transferred ones. */
export function ReplicationPage() {
  const { data: status } = useDnsStatus()
  const { data, error, refetch, isPending, ...query } = useReplication(status?.installed === true)
  const list = useListState('name')
  const [isEditing, setEditing] = useState(false)
  const close = () => setEditing(false)
  const zones = data?.zones && pageOf({ rows: data.zones, columns, textOf: ({ name }) => name }, list)
  return (
    <DnsFrame
      actions={
        <Button disabled={!data} onClick={() => setEditing(true)}>
          Change the role
        </Button>
      }
    >
      {isPending && <Loading rows={3} />}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {data && <Role replication={data} />}
      {zones && (
        <DataTable
          label="Transferred zones"
          columns={columns}
          query={{ ...query, error, refetch, data: zones }}
          rowKey={({ name }) => name}
          list={list}
          searchLabel="Search zones"
          empty={<Empty title="No zones are transferred yet">Create one of kind Slave.</Empty>}
        />
      )}
      {isEditing && data && (
        <PlannedForm
          title="Change the role"
          confirmLabel="Change"
          schema={ReplicationDraft}
          text={text}
          given={{ ...data }}
          callOf={(body: ReplicationDraft) => authdns.setReplication({ body: draftOf(body) })}
          onClose={close}
          onDone={() => done(close, 'The role was changed.')}
        />
      )}
    </DnsFrame>
  )
}

/** Leaves out the fields that another role has. */
function draftOf(draft: ReplicationDraft): ReplicationDraft {
  const { role, allow_axfr_ips = [], also_notify = [], master_ip = '', autosecondary = false } = draft
  if (role === 'native') return { role }
  if (role === 'master') return { role, allow_axfr_ips, also_notify }
  return {
    ...{ role, autosecondary },
    ...(master_ip !== '' && { master_ip }),
    ...(draft.nameserver && { nameserver: draft.nameserver }),
  }
}

function Role({ replication }: { readonly replication: Replication }) {
  const { role, allow_axfr_ips: allowed, also_notify: notified, master_ip: master } = replication
  return (
    <SectionCard title={`Role: ${text.role.labels[role]}`}>
      {role === 'native' && (
        <Text size="sm">
          Zones are not transferred. Other servers that share the database serve them too.
        </Text>
      )}
      {role === 'master' && (
        <>
          <Text size="sm">Transfers are allowed to: {allowed.join(', ') || 'this host only'}.</Text>
          <Text size="sm">Also notified: {notified.join(', ') || 'only the name servers of each zone'}.</Text>
        </>
      )}
      {role === 'slave' && (
        <>
          <Text size="sm">Zones are transferred from {master}.</Text>
          {replication.autosecondary && (
            <Text size="sm">
              Zones that it announces with the name server {replication.nameserver} are created.
            </Text>
          )}
        </>
      )}
    </SectionCard>
  )
}
