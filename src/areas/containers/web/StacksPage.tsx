import { Button, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { LinkButton, TextLink } from '../../../web/kit/LinkButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Container } from '../model.ts'
import type { Stack, StackAction } from '../stacks/model.ts'
import { containers } from './api.ts'
import { ContainersFrame } from './ContainersFrame.tsx'
import { useContainers, useStackAction, useStacks } from './queries.ts'
import { UpgradeStackDialog } from './ReplaceDialogs.tsx'
import { longMs, portTexts, stateOf } from './state.ts'

/** The containers of this host by their ids, of which the stacks consist. */
type ById = ReadonlyMap<string, Container>

type Ask = (what: 'upgrade' | 'remove', stack: Stack) => void

const columnsOf = (byId: ById, ask: Ask): readonly Column<Stack>[] => [
  {
    id: 'stack',
    title: 'Stack',
    value: ({ instance }) => instance,
    cell: ({ instance, name }) => (
      <>
        <Text size="sm" fw={550}>
          {instance}
        </Text>
        <Text size="xs" c="dimmed">
          {name}
        </Text>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'services',
    title: 'Services and who can reach them',
    cell: ({ services }) => services.map((service) => <Service key={service.id} of={service} byId={byId} />),
  },
  {
    id: 'actions',
    title: 'Actions',
    align: 'right',
    cell: (stack) => <Actions stack={stack} onAsk={ask} />,
  },
]

const Service = ({ of, byId }: { readonly of: Stack['services'][number]; readonly byId: ById }) => {
  const container = byId.get(of.id)
  const ports = container ? portTexts(container) : []
  return (
    <Text size="sm" component="div">
      <TextLink to={`/containers/list/${encodeURIComponent(of.name)}`}>{of.name}</TextLink>{' '}
      {container ? stateOf(container) : of.state}
      {ports.length > 0 && `, ${ports.join(', ')}`}
    </Text>
  )
}

const labels = { start: 'Start', restart: 'Restart', stop: 'Stop' } as const
type Switching = keyof typeof labels & StackAction

const actionsOf: Readonly<Record<Stack['state'], readonly Switching[]>> = {
  running: ['restart', 'stop'],
  partial: ['start', 'stop'],
  stopped: ['start'],
}

function Actions({ stack, onAsk }: { readonly stack: Stack; readonly onAsk: Ask }) {
  const { instance, state } = stack
  const { mutate, isPending, variables } = useStackAction()
  return (
    <Group gap="xs" justify="flex-end">
      {actionsOf[state].map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          aria-label={`${labels[action]} ${instance}`}
          loading={isPending && variables.action === action}
          disabled={isPending}
          onClick={() => mutate({ instance, action })}
        >
          {labels[action]}
        </Button>
      ))}
      <Button
        size="xs"
        variant="default"
        aria-label={`Upgrade ${instance}`}
        disabled={isPending}
        onClick={() => onAsk('upgrade', stack)}
      >
        Upgrade
      </Button>
      <CutOffButton
        size="xs"
        aria-label={`Remove ${instance}`}
        disabled={isPending}
        onClick={() => onAsk('remove', stack)}
      >
        Remove
      </CutOffButton>
    </Group>
  )
}

/** The stacks that were launched from the catalog. */
export function StacksPage() {
  const { data, ...query } = useStacks()
  const { data: all } = useContainers()
  const [asked, setAsked] = useState<{ readonly what: 'upgrade' | 'remove'; readonly stack: Stack }>()
  const close = () => setAsked(undefined)
  const byId = new Map(all?.map((container) => [container.id, container]))
  return (
    <ContainersFrame actions={<LinkButton to="/containers/catalog">Launch from the catalog</LinkButton>}>
      <DataTable
        label="Stacks"
        columns={columnsOf(byId, (what, stack) => setAsked({ what, stack }))}
        query={useWholePage({ ...query, data })}
        rowKey={({ instance }) => instance}
        empty={<Empty title="No stacks yet">Launch one from the catalog.</Empty>}
      />
      {asked?.what === 'remove' && <RemoveStack instance={asked.stack.instance} onClose={close} />}
      {asked?.what === 'upgrade' && <UpgradeStackDialog stack={asked.stack} onClose={close} />}
    </ContainersFrame>
  )
}

function RemoveStack({ instance, onClose }: { readonly instance: string; readonly onClose: () => void }) {
  const [volumes, setVolumes] = useState(false)
  const done = async () => {
    onClose()
    notify(`The stack ${instance} was removed.`)
    await readAgain('containers')
  }
  return (
    <ChangeDialog
      title={`Remove the stack ${instance}`}
      confirmLabel="Remove"
      call={containers.actOnStack({
        params: { instance, action: 'remove' },
        body: { volumes },
        limitMs: longMs,
      })}
      onClose={onClose}
      onDone={done}
    >
      <Switch
        label="Remove its volumes too"
        description="Their content is deleted. Otherwise they stay, but a launch with new passwords needs another name."
        checked={volumes}
        onChange={(event) => setVolumes(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
