import { Badge, Button } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { pageOf } from '../../../web/kit/paged-rows.ts'
import { Empty } from '../../../web/kit/states.tsx'
import type { ZoneItem } from '../model.ts'
import { DnsFrame } from './DnsFrame.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { useDnsStatus, useZones } from './queries.ts'
import { CreateZoneDialog, DeleteZoneDialog } from './ZoneDialogs.tsx'

const columnsOf = (remove: (zone: ZoneItem) => void): readonly Column<ZoneItem>[] => [
  {
    id: 'name',
    title: 'Zone',
    sort: 'name',
    value: ({ name }) => name,
    cell: ({ name }) => <TextLink to={`/dns/zones/${encodeURIComponent(name)}`}>{name}</TextLink>,
  },
  { id: 'kind', title: 'Kind', sort: 'kind', value: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    id: 'serial',
    title: 'Serial',
    sort: 'serial',
    value: ({ serial }) => serial,
    cell: ({ serial }) => serial,
  },
  {
    id: 'dnssec',
    title: 'DNSSEC',
    sort: 'dnssec',
    value: ({ dnssec }) => String(dnssec),
    cell: ({ dnssec }) => (dnssec ? <Badge color="teal.9">signed</Badge> : 'unsigned'),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (zone) => (
      <CutOffButton size="xs" onClick={() => remove(zone)} aria-label={`Remove ${zone.name}`}>
        Remove
      </CutOffButton>
    ),
  },
]

/** The zones, and dialogs that create, import and remove them. */
export function ZonesPage() {
  const { data: status } = useDnsStatus()
  const { data, ...query } = useZones(status?.installed === true)
  const list = useListState('name')
  const [removed, setRemoved] = useState<ZoneItem>()
  const [isCreating, setCreating] = useLinkedDialog('create')
  const [isImporting, setImporting] = useState(false)
  const columns = columnsOf(setRemoved)
  return (
    <DnsFrame
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
            onClick={() => setImporting(true)}
          >
            Import a zone
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            Create a zone
          </Button>
        </>
      }
    >
      <DataTable
        label="Zones"
        columns={columns}
        query={{ ...query, data: data && pageOf({ rows: data, columns, textOf: ({ name }) => name }, list) }}
        rowKey={({ name }) => name}
        list={list}
        searchLabel="Search zones"
        empty={<Empty title="No zones yet">Create one, or import a zone file.</Empty>}
      />
      {isCreating && <CreateZoneDialog onClose={() => setCreating(false)} />}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      {removed && <DeleteZoneDialog zone={removed} onClose={() => setRemoved(undefined)} />}
    </DnsFrame>
  )
}
