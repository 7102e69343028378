import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { textOfCondition } from '../condition-text.ts'
import type { Rule, Ruleset } from '../model.ts'
import type { Asking } from './Dialogs.tsx'
import { OrderButtons } from './OrderButtons.tsx'
import { useReorderRules, useRules } from './queries.ts'
import { actionLabels, movedTo } from './ruleset-form.ts'

interface RulesetCardProps {
  readonly website: number
  readonly ruleset: Ruleset
  readonly count: number
  readonly isBusy: boolean
  /** Whether nginx can evaluate rules. */
  readonly isLoaded: boolean
  /** Called with true while the card is dragged. */
  readonly onDrag: (isDragged: boolean) => void
  readonly onMove: (to: number) => void
  readonly onAsk: (asking: Asking) => void
}

/** One ruleset with its rules, in their order. */
export function RulesetCard({
  website,
  ruleset,
  count,
  isBusy,
  isLoaded,
  onDrag,
  onMove,
  onAsk,
}: RulesetCardProps) {
  const { name, description, position } = ruleset
  return (
    <SectionCard title={name}>
      <Group justify="space-between" gap="sm">
        <Facts ruleset={ruleset} />
        <Group gap="xs">
          <DragHandle name={name} onDrag={onDrag} />
          <OrderButtons name={name} index={position} count={count} isBusy={isBusy} onMove={onMove} />
          <Button
            size="xs"
            variant="default"
            aria-label={`Add a rule to ${name}`}
            onClick={() => onAsk({ what: 'add-rule', ruleset })}
          >
            Add a rule
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!isLoaded}
            aria-label={`Replay logs through ${name}`}
            onClick={() => onAsk({ what: 'replay', ruleset })}
          >
            Replay logs
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Edit ${name}`}
            onClick={() => onAsk({ what: 'edit', ruleset })}
          >
            Edit
          </Button>
          <CutOffButton
            size="xs"
            aria-label={`Delete ${name}`}
            onClick={() => onAsk({ what: 'delete', ruleset })}
          >
            Delete
          </CutOffButton>
        </Group>
      </Group>
      {description !== '' && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      <RuleList website={website} ruleset={ruleset} onAsk={onAsk} />
    </SectionCard>
  )
}

/** Those who use the keyboard have the buttons beside it. */
const DragHandle = ({ name, onDrag }: { readonly name: string } & Pick<RulesetCardProps, 'onDrag'>) => (
  <span
    draggable
    aria-hidden
    title={`Drag ${name}`}
    style={{ cursor: 'grab', display: 'inline-flex' }}
    onDragStart={(event) => {
      event.dataTransfer.setData('text/plain', name)
      event.dataTransfer.effectAllowed = 'move'
      onDrag(true)
    }}
    onDragEnd={() => onDrag(false)}
  >
    <IconGripVertical size={20} />
  </span>
)

const Facts = ({ ruleset }: { readonly ruleset: Ruleset }) => (
  <Group gap="xs">
    <Text size="sm" fw={600}>
      {actionLabels[ruleset.action]}
    </Text>
    <Text size="sm" c="dimmed">
      {ruleset.combine === 'any' ? 'if one rule matches' : 'if all rules match'}
    </Text>
    {!ruleset.enabled && (
      <Badge variant="light" color="gray" tt="none">
        off
      </Badge>
    )}
    {ruleset.pending && (
      <Badge variant="light" color="orange" tt="none">
        pending
      </Badge>
    )}
    {ruleset.website_ids !== null && (
      <Badge variant="light" color="gray" tt="none">
        {ruleset.website_ids.length} websites
      </Badge>
    )}
    {ruleset.hits !== null && (
      <Text size="sm" c="dimmed">
        {ruleset.hits} hits
      </Text>
    )}
  </Group>
)

function RuleList({ website, ruleset, onAsk }: Pick<RulesetCardProps, 'website' | 'ruleset' | 'onAsk'>) {
  const { data, error, refetch, isPending } = useRules(website, ruleset.id)
  const order = useReorderRules(website, ruleset.id)
  const rules = data?.rules ?? []
  const ids = rules.map(({ id }) => id)
  if (isPending) return <Loading rows={1} />
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (rules.length === 0)
    return (
      <Text size="sm" c="dimmed">
        It has no rules yet, so it matches nothing.
      </Text>
    )
  return (
    <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {rules.map((rule, index) => (
        <Group component="li" key={rule.id} justify="space-between" gap="sm" align="flex-start">
          <RuleText rule={rule} />
          <Group gap="xs">
            <OrderButtons
              name={rule.name}
              index={index}
              count={rules.length}
              isBusy={order.isPending}
              onMove={(to) => order.mutate(movedTo(ids, index, to))}
            />
            {rule.source === 'own' && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Edit the rule ${rule.name}`}
                onClick={() => onAsk({ what: 'edit-rule', rule })}
              >
                Edit
              </Button>
            )}
            <CutOffButton
              size="xs"
              aria-label={`Delete the rule ${rule.name}`}
              onClick={() => onAsk({ what: 'delete-rule', rule })}
            >
              Delete
            </CutOffButton>
          </Group>
        </Group>
      ))}
    </Stack>
  )
}

const RuleText = ({ rule }: { readonly rule: Rule }) => (
  <div style={{ flex: '1 1 16em', minWidth: 0 }}>
    <Group gap="xs">
      <Text size="sm" fw={600} className="anywhere">
        {rule.name}
      </Text>
      {rule.source === 'library' && (
        <Badge variant="light" color="gray" tt="none">
          library
        </Badge>
      )}
      {!rule.enabled && (
        <Badge variant="light" color="gray" tt="none">
          off
        </Badge>
      )}
    </Group>
    {rule.conditions.map((condition, index) => (
      <Text key={index} size="xs" ff="monospace" c="dimmed" className="anywhere">
        {textOfCondition(condition)}
      </Text>
    ))}
    {rule.conditions.length === 0 && (
      <Text size="xs" c="dimmed">
        No conditions: matches nothing
      </Text>
    )}
  </div>
)
