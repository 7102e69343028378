import { Alert, Code, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ChangePlan } from '../../changes/plan.ts'
import type { Call } from '../call.ts'
import { Diff } from './Diff.tsx'
import { objectDiff } from './object-diff.ts'
import { rowTexts, saysMore } from './plan-text.ts'

/** The plan of a change, as the server previews it. */
export type Plan = ChangePlan & {
  readonly effect: 'changes' | 'destroys'
  /** Set for a job, which goes on when its caller leaves. */
  readonly is_job?: true
}

/** Requests the plan of a call without making the change. */
export const previewOf = (call: Call): Call<Plan> =>
  ({ ...call, query: { ...call.query, plan: 1 } }) as Call<Plan>

/** The messages of programs that would refuse steps of a plan. */
export const refusalsOf = (plan: Plan): readonly string[] =>
  plan.steps.flatMap(({ refused }) => (refused ? [refused] : []))

/** Renders a plan: its steps, file changes, commands and irreversible effects. */
export function PlanView({
  plan,
  title,
  isRecoverable = false,
}: {
  readonly plan: Plan
  /** The heading above the plan, which is not repeated. */
  readonly title?: string
  readonly isRecoverable?: boolean
}) {
  const lost = plan.steps.flatMap(({ irreversible }) => (irreversible ? [irreversible] : []))
  const refused = refusalsOf(plan)
  return (
    <Stack gap="sm" className="anywhere">
      {refused.map((text) => (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title="This would be rejected"
          key={text}
          role="alert"
        >
          <Text size="xs" ff="monospace" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        </Alert>
      ))}
      {isRecoverable && lost.map((reason) => <Note key={reason}>If a step fails: {reason}</Note>)}
      {!isRecoverable && lost.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="This cannot be undone">
          {lost.map((reason) => (
            <Text size="sm" key={reason}>
              {reason}
            </Text>
          ))}
        </Alert>
      )}
      {saysMore(plan, title) && <Text fw={600}>{plan.summary}</Text>}
      {plan.steps.length > 0 && (
        <List
          type="ordered"
          spacing="xs"
          size="sm"
          aria-label="Steps"
          styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
        >
          {plan.steps.map((step, index) => (
            <List.Item key={index}>
              <StepView step={step} />
            </List.Item>
          ))}
        </List>
      )}
      {plan.jobs.map((title) => (
        <Text size="sm" key={title}>
          Then as a job: {title}
        </Text>
      ))}
      {plan.details.map((sentence) => (
        <Text size="xs" c="dimmed" className="anywhere" key={sentence}>
          {sentence}
        </Text>
      ))}
      {plan.rows.length > 0 && (
        <Text size="xs" c="dimmed" component="details">
          <summary>Stored in the panel</summary>
          {rowTexts(plan).join(', ')}
        </Text>
      )}
      {plan.is_reversible && plan.steps.length > 0 && (
        <Text size="xs" c="dimmed">
          <IconArrowBackUp size={13} aria-hidden className="in-text" /> If a step fails, all is put back as it
          was.
        </Text>
      )}
    </Stack>
  )
}

const Note = ({ children }: { readonly children: ReactNode }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
)

/** One step of a plan, or of a change that was made. */
export function StepView({ step }: { readonly step: Plan['steps'][number] }) {
  return (
    <Stack gap={6}>
      <Text size="sm">{step.title}</Text>
      {step.details?.map((sentence) => (
        <Text size="xs" c="dimmed" className="anywhere" key={sentence}>
          {sentence}
        </Text>
      ))}
      {step.files?.map(({ path, diff }) => (
        <Diff key={path} path={path} diff={diff} />
      ))}
      {step.objects?.map(({ name, before, after }) => (
        <Diff key={name} path={name} diff={objectDiff(before, after)} />
      ))}
      {step.commands?.map((argv) => (
        <Code block key={argv.join(' ')} className="anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {argv.join(' ')}
        </Code>
      ))}
      {step.reloads?.map((name) => (
        <Text size="xs" c="dimmed" key={name}>
          Reloads {name}
        </Text>
      ))}
    </Stack>
  )
}
