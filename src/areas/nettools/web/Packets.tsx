import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Static } from 'typebox'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { plainText } from '../../../web/kit/plain-text.ts'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { CapturedPacket } from '../model.ts'

type Packet = Static<typeof CapturedPacket>
type Row = Packet & { readonly key: number }

const at = (ip: string, port: string) => (port === '' ? ip : `${ip} port ${port}`)

const columns: readonly Column<Row>[] = [
  {
    id: 'time',
    title: 'Time',
    value: ({ key }) => key,
    cell: (packet) => <span style={{ whiteSpace: 'nowrap' }}>{packet.timestamp.slice(11)}</span>,
  },
  {
    id: 'from',
    title: 'From',
    value: (packet) => packet.src_ip,
    cell: (packet) => (
      <Text size="sm" className="anywhere">
        {at(packet.src_ip, packet.src_port)}
      </Text>
    ),
  },
  {
    id: 'to',
    title: 'To',
    value: (packet) => packet.dst_ip,
    cell: (packet) => (
      <Text size="sm" className="anywhere">
        {at(packet.dst_ip, packet.dst_port)}
      </Text>
    ),
  },
  { id: 'protocol', title: 'Protocol', value: ({ protocol }) => protocol, cell: ({ protocol }) => protocol },
  {
    id: 'length',
    title: 'Bytes',
    align: 'right',
    value: ({ length }) => length,
    cell: ({ length }) => length.toLocaleString(),
  },
  {
    id: 'details',
    title: 'Details',
    width: '40%',
    cell: ({ info }) => (
      <Text size="xs" ff="monospace" className="anywhere">
        {plainText(info)}
      </Text>
    ),
  },
]

/** The packets of a capture with what tcpdump tells of each. */
export function Packets({ packets }: { readonly packets: readonly Packet[] }) {
  const rows = useMemo(() => packets.map((packet, key) => ({ ...packet, key })), [packets])
  return (
    <DataTable
      label="Packets"
      columns={columns}
      query={useWholePage({ data: rows, error: undefined, isFetching: false, refetch: () => undefined })}
      rowKey={({ key }) => key}
      empty={<Empty title="No packets">None that the filter matches has passed yet.</Empty>}
    />
  )
}
