import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type Rule as RuleSchema, RuleDraft } from '../model.ts'
import { dnslb } from './api.ts'
import { DnslbFrame } from './DnslbFrame.tsx'
import { done, useRules } from './queries.ts'
import { raised, RowButtons } from './RowButtons.tsx'

type Rule = Static<typeof RuleSchema>
type Values = Readonly<Record<string, unknown>>

const matches = { all: 'All queries', client: 'Client', domain: 'Domain', type: 'Record type' }
const actions = {
  allow: 'Allow',
  drop: 'Drop',
  nxdomain: 'Say that the name does not exist',
  pool: 'Send to a pool',
  refuse: 'Refuse',
  truncate: 'Ask for TCP',
}
const text = {
  name: { label: 'Name' },
  match: { label: 'Compares', hint: 'The part of a query that is compared', labels: matches },
  value: {
    label: 'With',
    hint: 'A network, a domain with everything below it, or a record type',
    when: ({ match }: Values) => match !== 'all',
  },
  action: { label: 'Action', hint: 'What happens to the queries that match', labels: actions },
  pool: { label: 'Pool', when: ({ action }: Values) => action === 'pool' },
}

type Asking = { readonly rule: Rule; readonly order?: number[] }

const columnsOf = (rules: readonly Rule[], ask: (asking: Asking) => void): readonly Column<Rule>[] => [
  { id: 'name', title: 'Rule', cell: ({ name }) => name },
  {
    id: 'match',
    title: 'Queries',
    cell: ({ match, value }) => (match === 'all' ? matches.all : `${matches[match]} ${value}`),
  },
  {
    id: 'action',
    title: 'Outcome',
    cell: ({ action, pool }) =>
      action === 'pool' ? `Send to the pool ${pool || 'Default'}` : actions[action],
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (rule) => {
      const at = rules.findIndex(({ id }) => id === rule.id)
      const order =
        at > 0
          ? raised(
              rules.map(({ id }) => id),
              at,
            )
          : undefined
      return (
        <RowButtons
          name={rule.name}
          onRaise={order && (() => ask({ rule, order }))}
          onRemove={() => ask({ rule })}
        />
      )
    },
  },
]

/** The rules on clients, domains and record types, in the order in which they are evaluated. */
export function RulesPage() {
  const { data, ...query } = useRules()
  const page = useWholePage({ ...query, data: data?.rules })
  const [isCreating, setCreating] = useState(false)
  const [asking, ask] = useState<Asking>()
  const close = () => ask(undefined)
  return (
    <DnslbFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Add a rule
        </Button>
      }
    >
      <DataTable
        label="Rules"
        columns={columnsOf(data?.rules ?? [], ask)}
        query={page}
        rowKey={({ id }) => id}
        empty={<Empty title="No rules yet">Add one to steer queries to a pool, or to refuse them.</Empty>}
      />
      {isCreating && (
        <PlannedForm
          title="Add a rule"
          confirmLabel="Add"
          schema={RuleDraft}
          text={text}
          callOf={(body: RuleDraft) => dnslb.createRule({ body })}
          onClose={() => setCreating(false)}
          onDone={() => done(() => setCreating(false), 'The rule was added.')}
        />
      )}
      {asking?.order && (
        <ChangeDialog
          title={`Move ${asking.rule.name} up`}
          confirmLabel="Move"
          call={dnslb.reorderRules({ body: { order: asking.order } })}
          onClose={close}
          onDone={() => done(close, 'The order was changed.')}
        />
      )}
      {asking && !asking.order && (
        <ChangeDialog
          title={`Remove ${asking.rule.name}`}
          confirmLabel="Remove"
          call={dnslb.deleteRule({ params: { id: asking.rule.id } })}
          onClose={close}
          onDone={() => done(close, `${asking.rule.name} was removed.`)}
        />
      )}
    </DnslbFrame>
  )
}
