import { Alert, Button, Center, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { textOf } from '../wire.ts'

/** What went wrong, and a way to try again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Something went wrong" role="alert">
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {textOf(error)}
      </Text>
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Nothing is here yet, and what to do about it. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon variant="light" size={48} radius="xl" color="gray">
          <IconInbox aria-hidden />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children && (
          <Text c="dimmed" size="sm" ta="center">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

/** Holds the place of what is being read. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={38} radius="md" />
      ))}
    </Stack>
  )
}
