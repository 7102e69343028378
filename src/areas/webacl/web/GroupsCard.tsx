import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { webacl } from './api.ts'
import { EntriesDialog } from './EntriesDialog.tsx'
import { done, useGroups } from './queries.ts'

interface IpGroup {
  readonly name: string
  readonly entry_count: number
}

interface Asking {
  readonly what: 'create' | 'import' | 'entries' | 'delete'
  readonly name: string
}

const columnsOf = (ask: (asking: Asking) => void): readonly Column<IpGroup>[] => [
  { id: 'name', title: 'Group', value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'entries',
    title: 'Entries',
    value: ({ entry_count }) => entry_count,
    cell: ({ entry_count }) => entry_count,
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: ({ name }) => (
      <Group gap="xs" justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={`Entries of ${name}`}
          onClick={() => ask({ what: 'entries', name })}
        >
          Entries
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Add addresses to ${name}`}
          onClick={() => ask({ what: 'import', name })}
        >
          Add addresses
        </Button>
        <CutOffButton
          size="xs"
          aria-label={`Delete the group ${name}`}
          onClick={() => ask({ what: 'delete', name })}
        >
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

/** The address groups of the owner, which conditions name. */
export function GroupsCard({ website }: { readonly website: number }) {
  const { data, ...query } = useGroups(website)
  const [asking, ask] = useState<Asking>()
  const close = () => ask(undefined)
  return (
    <SectionCard title="Address groups">
      <Group>
        <Button variant="default" onClick={() => ask({ what: 'create', name: '' })}>
          Add a group
        </Button>
      </Group>
      <DataTable
        label="Address groups"
        columns={columnsOf(ask)}
        query={useWholePage({ ...query, data })}
        rowKey={({ name }) => name}
        empty={<Empty title="No groups yet">Add one to name addresses in conditions.</Empty>}
      />
      {asking?.what === 'create' && <CreateGroup website={website} onClose={close} />}
      {asking?.what === 'import' && <AddAddresses website={website} name={asking.name} onClose={close} />}
      {asking?.what === 'entries' && <EntriesDialog website={website} name={asking.name} onClose={close} />}
      {asking?.what === 'delete' && (
        <ChangeDialog
          title={`Delete the group ${asking.name}`}
          confirmLabel="Delete"
          call={webacl.deleteIpGroup({ params: { name: asking.name }, query: { website_id: website } })}
          onClose={close}
          onDone={() => done(close, `${asking.name} was deleted.`)}
        />
      )}
    </SectionCard>
  )
}

interface DialogProps {
  readonly website: number
  readonly onClose: () => void
}

function CreateGroup({ website, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const [isAsked, setAsked] = useState(false)
  if (isAsked)
    return (
      <ChangeDialog
        title={`Add the group ${name}`}
        confirmLabel="Add"
        call={webacl.createIpGroup({ body: { website_id: website, name } })}
        onClose={() => setAsked(false)}
        onDone={() => done(onClose, `${name} was added.`)}
      />
    )
  return (
    <Modal opened onClose={onClose} title="Add a group" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <TextInput
          label="Name"
          maxLength={200}
          data-autofocus
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={name.trim() === ''} onClick={() => setAsked(true)}>
            Review changes
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

function AddAddresses({ website, name, onClose }: DialogProps & { readonly name: string }) {
  const [text, setText] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [first = '', ...further] = text.split(/[\s,;]+/).filter((each) => each !== '')
  if (isAsked)
    return (
      <ChangeDialog
        title={`Add addresses to ${name}`}
        confirmLabel="Add"
        call={webacl.addIpEntry({
          params: { name },
          body: { website_id: website, ip_or_subnet: first, further },
        })}
        onClose={() => setAsked(false)}
        onDone={() => done(onClose, `${further.length + 1} entries were added to ${name}.`)}
      />
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Add addresses to ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Textarea
          label="Addresses and networks"
          description="One to a line, or separated by spaces or commas"
          placeholder="192.0.2.0/24"
          autosize
          minRows={4}
          maxRows={14}
          data-autofocus
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Text size="xs" c="dimmed" role="status">
          {first === '' ? 0 : further.length + 1} entries
        </Text>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={first === ''} onClick={() => setAsked(true)}>
            Review changes
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
