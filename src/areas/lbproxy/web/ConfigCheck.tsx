import { Alert, Button, List, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Diff } from '../../../web/kit/Diff.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import type { Check } from './use-check.ts'

interface ConfigCheckProps {
  readonly check: Check
  readonly isDirty: boolean
  readonly path: string
  readonly onLine: (line: number) => void
}

/** HAProxy's messages about the text, and the changes that it would make. */
export function ConfigCheck({ check, isDirty, path, onLine }: ConfigCheckProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Check of the configuration">
      <Title order={2} size="h4">
        Check
      </Title>
      <div role="status">
        <Verdict check={check} isDirty={isDirty} onLine={onLine} />
      </div>
      {check.error !== null && <Failure error={check.error} />}
      {isDirty && check.diff !== '' && <Diff path={path} diff={check.diff} />}
    </Stack>
  )
}

function Verdict({ check, isDirty, onLine }: Omit<ConfigCheckProps, 'path'>) {
  const { isChecking, isRefused, text, error } = check
  if (!isDirty)
    return (
      <Text size="sm" c="dimmed">
        No changes. HAProxy checks your text as you type; it goes live only when you apply it.
      </Text>
    )
  if (isChecking)
    return (
      <Text size="sm" c="dimmed">
        Checking …
      </Text>
    )
  if (error !== null) return null
  if (!isRefused)
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="HAProxy accepts it" py="xs">
        It is not live yet.
      </Alert>
    )
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="HAProxy would reject it">
      <List size="sm" spacing={4} listStyleType="none">
        {text.lines.map(({ line, message }, index) => (
          <List.Item key={index} className="anywhere">
            <Button size="compact-xs" variant="default" mr={6} onClick={() => onLine(line)}>
              Line {line}
            </Button>
            {message}
          </List.Item>
        ))}
        {text.rest.map((text) => (
          <List.Item key={text} className="anywhere">
            {text}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
