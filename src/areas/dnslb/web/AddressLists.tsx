import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Static } from 'typebox'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { AddressListDraft, type AddressLists as Lists } from '../model.ts'
import { dnslb } from './api.ts'
import { done, useAddressLists } from './queries.ts'
import { RowButtons } from './RowButtons.tsx'

type List = Static<typeof Lists>['lists'][number]
const isLimit = ({ action }: Readonly<Record<string, unknown>>) => action === 'ratelimit'

const text = {
  name: { label: 'Name', hint: 'Letters, digits, _ and -' },
  action: {
    label: 'Action',
    hint: 'block, ratelimit, or allow, which exempts from all that follows',
    choices: ['block', 'allow', 'ratelimit'],
    first: 'block',
  },
  addresses: { label: 'Addresses', hint: 'Addresses and networks of clients, such as 192.0.2.0/24' },
  rate_limit: {
    label: 'Queries per second',
    hint: 'Of one address; what exceeds it is dropped',
    when: isLimit,
  },
}

interface Asking {
  readonly what: 'edit' | 'remove'
  readonly list: List
}

const columnsOf = (ask: (asking: Asking) => void): readonly Column<List>[] => [
  { id: 'name', title: 'List', cell: ({ name }) => name },
  {
    id: 'action',
    title: 'Effect',
    cell: (list) => (isLimit(list) ? `${list.rate_limit} queries per second` : list.action),
  },
  { id: 'addresses', title: 'Addresses', cell: ({ addresses }) => shortened(addresses) },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (list) => (
      <RowButtons
        name={list.name}
        onEdit={() => ask({ what: 'edit', list })}
        onRemove={() => ask({ what: 'remove', list })}
      />
    ),
  },
]

const shortened = (addresses: readonly string[]): string =>
  addresses.length <= 3
    ? addresses.join(', ') || 'None'
    : `${addresses.slice(0, 3).join(', ')} and ${addresses.length - 3} more`

/** The lists of clients, in the order in which they are evaluated. */
export function AddressLists() {
  const { data, ...query } = useAddressLists()
  const page = useWholePage({ ...query, data: data?.lists })
  const [asking, ask] = useState<Asking>()
  const [isCreating, setCreating] = useState(false)
  const close = () => ask(undefined)
  const write = (body: AddressListDraft) => dnslb.writeAddresses({ body })
  return (
    <>
      <Group justify="flex-end">
        <Button onClick={() => setCreating(true)}>Add an address list</Button>
      </Group>
      <DataTable
        label="Address lists"
        columns={columnsOf(ask)}
        query={page}
        rowKey={({ name }) => name}
        empty={<Empty title="No address lists yet">Add one to block, limit or exempt clients.</Empty>}
      />
      {isCreating && (
        <PlannedForm
          title="Add an address list"
          confirmLabel="Add"
          schema={AddressListDraft}
          text={text}
          callOf={write}
          onClose={() => setCreating(false)}
          onDone={() => done(() => setCreating(false), 'The address list was added.')}
        />
      )}
      {asking?.what === 'edit' && (
        <PlannedForm
          title={`Edit ${asking.list.name}`}
          confirmLabel="Save"
          schema={AddressListDraft}
          text={text}
          except={['name']}
          given={asking.list}
          callOf={(body: AddressListDraft) => write({ ...body, name: asking.list.name })}
          onClose={close}
          onDone={() => done(close, `${asking.list.name} was changed.`)}
        />
      )}
      {asking?.what === 'remove' && (
        <ChangeDialog
          title={`Remove ${asking.list.name}`}
          confirmLabel="Remove"
          call={dnslb.deleteAddresses({ params: { name: asking.list.name } })}
          onClose={close}
          onDone={() => done(close, `${asking.list.name} was removed.`)}
        />
      )}
    </>
  )
}
