import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { PairingApproval, Pairings } from '../model.ts'
import { done } from './done.ts'

type Pairing = Pairings['pairings'][number]

interface PairingTableProps {
  readonly label: string
  readonly hint: string
  readonly query: {
    readonly data: readonly Pairing[] | undefined
    readonly error: unknown
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  readonly reason: string | null
  readonly callOf: (body: PairingApproval) => Call
}

const columnsWith = (admit: (pairing: Pairing) => void): readonly Column<Pairing>[] => [
  {
    id: 'sender',
    title: 'Who asks',
    cell: ({ sender, request }) => <span className="anywhere">{sender || request}</span>,
  },
  {
    id: 'created',
    title: 'Since',
    cell: ({ created_at }) => (created_at === null ? '–' : <Moment time={created_at} />),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (pairing) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Admit ${pairing.sender || pairing.request}`}
        onClick={() => admit(pairing)}
      >
        Admit
      </Button>
    ),
  },
]

/** Those who wait to be admitted. */
export function PairingTable({ label, hint, query, reason, callOf }: PairingTableProps) {
  const [admitted, admit] = useState<Pairing>()
  const close = () => admit(undefined)
  return (
    <>
      {reason !== null && <Alert color="orange">{reason}</Alert>}
      <DataTable
        label={label}
        columns={columnsWith(admit)}
        query={useWholePage(query)}
        rowKey={({ request }) => request}
        empty={<Empty title="Nobody waits">{hint}</Empty>}
      />
      {admitted && (
        <ChangeDialog
          title={`Admit ${admitted.sender || admitted.request}`}
          confirmLabel="Admit"
          call={callOf({ request: admitted.request, account: admitted.account })}
          onClose={close}
          onDone={() => done(close, 'The request was approved.')}
        />
      )}
    </>
  )
}
