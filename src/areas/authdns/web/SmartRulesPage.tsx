import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { pageOf } from '../../../web/kit/paged-rows.ts'
import { Empty } from '../../../web/kit/states.tsx'
import type { GeoState, SmartRule } from '../rules/model.ts'
import { authdns } from './api.ts'
import { DnsFrame } from './DnsFrame.tsx'
import { useDnsStatus, useGeoState, useSmartRules } from './queries.ts'
import classes from './row-buttons.module.css'
import { ruleText } from './rule-form.ts'
import { CreateRuleDialog, EditRuleDialog } from './RuleDialogs.tsx'
import { SimulatorCard } from './SimulatorCard.tsx'
import { done } from './ZoneDialogs.tsx'

interface Asking {
  readonly what: 'edit' | 'switch' | 'delete'
  readonly rule: SmartRule
}

const titles: Readonly<Record<string, string>> = ruleText.rule_type.labels
const nameOf = ({ record_name: name, record_type: type }: SmartRule) => `${name.replace(/\.$/, '')} ${type}`

function answersOf({ config: { targets, primary, backup, countries = {}, default: other } }: SmartRule) {
  if (targets) return targets.map(({ value, weight }) => `${value} (${weight})`).join(', ')
  if (primary !== undefined) return `${primary}, otherwise ${backup}`
  return [
    ...Object.entries(countries).map(([code, address]) => `${code} ${address}`),
    `others ${other}`,
  ].join(', ')
}

const columnsOf = (ask: (asking: Asking) => void): readonly Column<SmartRule>[] => [
  { id: 'name', title: 'Name', sort: 'name', value: nameOf, cell: nameOf },
  {
    id: 'rule',
    title: 'Rule',
    sort: 'rule',
    value: (rule) => rule.rule_type,
    cell: ({ rule_type: type, enabled }) => (
      <Group gap="xs">
        {titles[type] ?? type}
        {!enabled && <Badge color="gray.7">off</Badge>}
      </Group>
    ),
  },
  { id: 'answers', title: 'Answers', cell: answersOf },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (rule) => (
      <Group gap={4} justify="flex-end" className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Edit ${nameOf(rule)}`}
          onClick={() => ask({ what: 'edit', rule })}
        >
          Edit
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`${rule.enabled ? 'Disable' : 'Enable'} ${nameOf(rule)}`}
          onClick={() => ask({ what: 'switch', rule })}
        >
          {rule.enabled ? 'Disable' : 'Enable'}
        </Button>
        <CutOffButton
          size="xs"
          aria-label={`Delete ${nameOf(rule)}`}
          onClick={() => ask({ what: 'delete', rule })}
        >
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

/** The smart rules, dialogs that change them, and what the server answers to a client. */
export function SmartRulesPage() {
  const { data: status } = useDnsStatus()
  const { data, ...query } = useSmartRules(status?.installed === true)
  const { data: geo } = useGeoState()
  const list = useListState('name')
  const [asking, ask] = useState<Asking>()
  const [isCreating, setCreating] = useState(false)
  const columns = columnsOf(ask)
  const hasGeo = geo?.available === true
  return (
    <DnsFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Add a smart rule
        </Button>
      }
    >
      {geo && <GeoText geo={geo} />}
      <DataTable
        label="Smart rules"
        columns={columns}
        query={{ ...query, data: data && pageOf({ rows: data, columns, textOf: nameOf }, list) }}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search smart rules"
        empty={
          <Empty title="No smart rules yet">Add one to answer by weight, with a backup or by country.</Empty>
        }
      />
      <SimulatorCard />
      {isCreating && <CreateRuleDialog hasGeo={hasGeo} onClose={() => setCreating(false)} />}
      {asking && <RuleDialog {...asking} hasGeo={hasGeo} onClose={() => ask(undefined)} />}
    </DnsFrame>
  )
}

/** Says why there are no rules by country, or of when their file is. */
function GeoText({ geo: { available, reason, built_at, stale } }: { readonly geo: GeoState }) {
  if (!available)
    return (
      <Text size="sm" c="dimmed">
        Rules by country are not available. {reason}.
      </Text>
    )
  const built = (
    <>
      The file with the countries of addresses was built <Moment time={built_at} />.
    </>
  )
  if (stale)
    return (
      <Alert color="orange" title="The countries are older than 90 days">
        {built} Replace it.
      </Alert>
    )
  return (
    <Text size="sm" c="dimmed">
      {built}
    </Text>
  )
}

interface RuleDialogProps extends Asking {
  readonly hasGeo: boolean
  readonly onClose: () => void
}

function RuleDialog({ what, rule, hasGeo, onClose }: RuleDialogProps) {
  const params = { id: rule.id }
  if (what === 'edit') return <EditRuleDialog rule={rule} hasGeo={hasGeo} onClose={onClose} />
  if (what === 'delete')
    return (
      <ChangeDialog
        title={`Delete the rule of ${nameOf(rule)}`}
        confirmLabel="Delete"
        call={authdns.deleteSmartRule({ params })}
        onClose={onClose}
        onDone={() => done(onClose, 'The rule was deleted.')}
      />
    )
  const verb = rule.enabled ? 'Disable' : 'Enable'
  return (
    <ChangeDialog
      title={`${verb} the rule of ${nameOf(rule)}`}
      confirmLabel={verb}
      isCutOff={rule.enabled}
      call={authdns.editSmartRule({ params, body: { enabled: !rule.enabled } })}
      onClose={onClose}
      onDone={() => done(onClose, `The rule was ${verb.toLowerCase()}d.`)}
    />
  )
}
