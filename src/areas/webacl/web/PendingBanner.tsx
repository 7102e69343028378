import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Diff } from '../../../web/kit/Diff.tsx'
import { webacl } from './api.ts'
import { done, usePending } from './queries.ts'

interface PendingBannerProps {
  readonly website: number
  readonly isLoaded: boolean
}

/** Says that rules are not applied yet, shows the difference, and applies them. */
export function PendingBanner({ website, isLoaded }: PendingBannerProps) {
  const { data } = usePending(website)
  const [isShown, show] = useState(false)
  const [isApplying, setApplying] = useState(false)
  if (data === undefined || !data.pending) return null
  const { ruleset_id: id, problems, diff } = data
  return (
    <Alert
      title={diff === '' ? 'Rules are not loaded' : 'Changes are not applied yet'}
      color="orange"
      styles={{ body: { minWidth: 0 } }} // long lines of the difference scroll by themselves
    >
      <Stack gap="sm">
        <Text size="sm">
          {diff === ''
            ? 'nginx could not load the rules that were applied: apply them again.'
            : 'Visitors get the former rules until you apply the changes.'}
        </Text>
        {problems.map((problem) => (
          <Text size="sm" key={problem} className="anywhere">
            {problem}
          </Text>
        ))}
        <Group gap="sm">
          {id !== null && (
            <Button size="xs" disabled={!isLoaded || problems.length > 0} onClick={() => setApplying(true)}>
              Apply
            </Button>
          )}
          {diff !== '' && (
            <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => show(!isShown)}>
              {isShown ? 'Hide the changes' : 'Show the changes'}
            </Button>
          )}
        </Group>
        {isShown && <Diff path="access-rules" diff={diff} />}
      </Stack>
      {isApplying && id !== null && (
        <ChangeDialog
          title="Apply the access rules"
          confirmLabel="Apply"
          isCutOff
          call={webacl.applyRuleset({
            params: { id },
            query: { overwrite: false },
            body: { website_id: website },
          })}
          onClose={() => setApplying(false)}
          onDone={() => done(() => setApplying(false), 'The access rules are applied.')}
        />
      )}
    </Alert>
  )
}
