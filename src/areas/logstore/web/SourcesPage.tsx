import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type LogSource, LogSourceDraft, LogSourceEdit } from '../model.ts'
import { logstore } from './api.ts'
import { done } from './done.ts'
import { LogsFrame } from './LogsFrame.tsx'
import { useSources } from './queries.ts'

type Values = Readonly<Record<string, unknown>>
const listens = ({ type }: Values) => type !== 'local'
const text = {
  name: { label: 'Name' },
  type: { label: 'Type', labels: { syslog: 'Syslog on a port', local: 'This host' } },
  protocol: { label: 'Protocol', labels: { udp: 'UDP', tcp: 'TCP', tls: 'TLS' }, when: listens },
  port: { label: 'Port', when: listens },
  description: { label: 'Description' },
  include_local: { label: 'Include the lines of this host', when: listens },
  allowed_ips: {
    label: 'Allowed senders',
    hint: '192.0.2.7, 198.51.100.0/24. Leave blank for all',
    when: listens,
  },
  replicate_to: { label: 'Copy to', hint: 'A host that receives the same lines over TCP' },
}
const upFront = ['name', 'type', 'protocol', 'port', 'allowed_ips']

/** Of a new source: a form without values takes empty texts for missing ones. */
const firstDraft: LogSourceDraft = {
  name: '',
  type: 'syslog',
  protocol: 'udp',
  port: 514,
  description: '',
  include_local: false,
  allowed_ips: '',
  replicate_to: '',
}

const verbs = ['edit', 'apply', 'toggle', 'delete'] as const
interface Asking {
  readonly what: (typeof verbs)[number]
  readonly source: LogSource
}

/** The sources of lines, and dialogs that add, change, apply and delete them. */
export function SourcesPage() {
  const [asking, ask] = useState<Asking>()
  const [isCreating, setCreating] = useLinkedDialog('create')
  const query = useWholePage(useSources())
  return (
    <LogsFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Add a source
        </Button>
      }
    >
      <DataTable
        label="Sources"
        columns={columnsOf(ask)}
        query={query}
        rowKey={({ id }) => id}
        empty={<Empty title="No sources yet">Add one, and apply it, to receive lines.</Empty>}
      />
      {isCreating && (
        <PlannedForm
          title="Add a source"
          confirmLabel="Add"
          schema={LogSourceDraft}
          text={text}
          upFront={upFront}
          given={firstDraft}
          callOf={(body: LogSourceDraft) => logstore.createLogSource({ body })}
          onClose={() => setCreating(false)}
          onDone={() => done(() => setCreating(false), 'The source was added. Apply it to receive lines.')}
        />
      )}
      {asking && <SourceDialog {...asking} onClose={() => ask(undefined)} />}
    </LogsFrame>
  )
}

const columnsOf = (ask: (asking: Asking) => void): readonly Column<LogSource>[] => [
  {
    id: 'name',
    title: 'Source',
    cell: ({ name, description }) => (
      <>
        <Text size="sm" fw={600} className="anywhere">
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {description}
        </Text>
      </>
    ),
  },
  {
    id: 'receives',
    title: 'Receives',
    cell: ({ type, port, protocol, include_local: local }) =>
      type === 'local' ? 'This host' : `${port}/${protocol}${local ? ' and this host' : ''}`,
  },
  { id: 'allowed', title: 'Allowed senders', cell: (source) => source.allowed_ips || 'All' },
  {
    id: 'state',
    title: 'State',
    cell: ({ enabled, state }) => <StateBadge state={enabled ? badges[state] : 'disabled'} />,
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (source) => <SourceActions source={source} onAsk={(what) => ask({ what, source })} />,
  },
]

const badges = { applied: 'active', changed: 'Changed, not applied', not_applied: 'Not applied' } as const

interface SourceActionsProps {
  readonly source: LogSource
  readonly onAsk: (what: Asking['what']) => void
}

function SourceActions({ source: { name, enabled, state }, onAsk }: SourceActionsProps) {
  return (
    <Group gap={4} justify="flex-end">
      {enabled && state !== 'applied' && (
        <Button size="xs" aria-label={`Apply ${name}`} onClick={() => onAsk('apply')}>
          Apply
        </Button>
      )}
      <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={() => onAsk('edit')}>
        Edit
      </Button>
      {enabled ? (
        <CutOffButton size="xs" aria-label={`Disable ${name}`} onClick={() => onAsk('toggle')}>
          Disable
        </CutOffButton>
      ) : (
        <Button size="xs" variant="default" aria-label={`Enable ${name}`} onClick={() => onAsk('toggle')}>
          Enable
        </Button>
      )}
      <CutOffButton size="xs" aria-label={`Delete ${name}`} onClick={() => onAsk('delete')}>
        Delete
      </CutOffButton>
    </Group>
  )
}

function SourceDialog({ what, source, onClose }: Asking & { readonly onClose: () => void }) {
  const params = { id: String(source.id) }
  if (what === 'edit')
    return (
      <PlannedForm
        title={`Edit ${source.name}`}
        confirmLabel="Save"
        schema={LogSourceEdit}
        text={text}
        given={source}
        sendsOnlyChanges
        callOf={(body: LogSourceEdit) => logstore.editLogSource({ params, body })}
        onClose={onClose}
        onDone={() => done(onClose, `${source.name} was changed. Apply it to have it in effect.`)}
      />
    )
  const { label, past, call } = {
    apply: { label: 'Apply', past: 'applied', call: logstore.applyLogSource({ params }) },
    toggle: {
      label: source.enabled ? 'Disable' : 'Enable',
      past: source.enabled ? 'disabled' : 'enabled',
      call: logstore.toggleLogSource({ params }),
    },
    delete: { label: 'Delete', past: 'deleted', call: logstore.deleteLogSource({ params }) },
  }[what]
  return (
    <ChangeDialog
      title={`${label} ${source.name}`}
      confirmLabel={label}
      call={call}
      onClose={onClose}
      onDone={() => done(onClose, `${source.name} was ${past}.`)}
    />
  )
}
