import { Alert, Badge, Button, Group, List, PasswordInput, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import type { ManifestApplied, ManifestPlan, ManifestPlanDraft, Operation } from '../model.ts'
import { applying } from './queries.ts'

interface PlanCardProps {
  readonly plan: ManifestPlan
  readonly draft: ManifestPlanDraft
  readonly onDone: (reply: ManifestApplied) => Promise<void>
}

/** What a manifest does to this host, and the button that applies it. */
export function PlanCard({ plan, draft, onDone }: PlanCardProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [isApplying, setApplying] = useState(false)
  const { digest, operations, confirmations, references } = plan
  if (operations.length === 0)
    return (
      <SectionCard title="Plan">
        <Text size="sm">Nothing to do: this host is as the manifest has it.</Text>
      </SectionCard>
    )
  const secrets = references.map(({ path }) => ({ path, value: values[path] ?? '' }))
  return (
    <SectionCard title="Plan">
      <List listStyleType="none" spacing="xs" size="sm" aria-label="Operations">
        {operations.map((operation, index) => (
          <List.Item key={index}>
            <OperationRow operation={operation} />
          </List.Item>
        ))}
      </List>
      {confirmations.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Confirm this">
          {confirmations.map((text) => (
            <Text size="sm" className="anywhere" key={text}>
              {text}
            </Text>
          ))}
        </Alert>
      )}
      {references.map(({ path, env, file }) => (
        <PasswordInput
          key={path}
          label={`Password for ${path.replace(/\.password$/, '')}`}
          description={`The manifest refers to ${env === null ? `the file ${file}` : `the variable ${env}`}`}
          autoComplete="new-password"
          value={values[path] ?? ''}
          onChange={({ currentTarget }) => setValues({ ...values, [path]: currentTarget.value })}
        />
      ))}
      <Group justify="flex-end">
        <Button
          color={confirmations.length > 0 ? 'red.9' : 'indigo'}
          disabled={secrets.some(({ value }) => value === '')}
          onClick={() => setApplying(true)}
        >
          Apply
        </Button>
      </Group>
      {isApplying && (
        <ChangeDialog
          title="Apply the manifest"
          confirmLabel="Apply"
          call={applying({ ...draft, confirm: confirmations.length > 0, plan: digest, secrets })}
          onClose={() => setApplying(false)}
          onDone={onDone}
        />
      )}
    </SectionCard>
  )
}

const colors = { create: 'green', change: 'blue', delete: 'red' } as const
const labels = { create: 'Create', change: 'Change', delete: 'Delete' } as const

const OperationRow = ({ operation: { action, object, details } }: { readonly operation: Operation }) => (
  <Group gap="sm" wrap="nowrap" align="flex-start">
    <Badge variant="light" color={colors[action]} tt="none" flex="none">
      {labels[action]}
    </Badge>
    <Stack gap={2}>
      <Text size="sm" className="anywhere">
        {object}
      </Text>
      {details.map((text) => (
        <Text size="xs" c="dimmed" className="anywhere" key={text}>
          {text}
        </Text>
      ))}
    </Stack>
  </Group>
)
