import { Alert, Button, Center, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconInbox, IconLock } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { createElement, type ReactNode } from 'react'
import { areaPages } from '../area-pages.ts'
import { ApiError, textOf } from '../wire.ts'
import { areaOfPath } from './area-of-path.ts'

/** An error message with a button that retries, where another attempt could succeed. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error instanceof ApiError && error.status === 403) return <NotPermitted>{textOf(error)}</NotPermitted>
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Something went wrong" role="alert">
      <Message>{textOf(error)}</Message>
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** What the account lacks for what is shown here. */
export const NotPermitted = ({ children }: { readonly children: string }) => (
  <Alert color="gray" icon={<IconLock aria-hidden />} title="Not permitted" role="alert">
    <Message>{children}</Message>
  </Alert>
)

const Message = ({ children }: { readonly children: string }) => (
  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {children}
  </Text>
)

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** An empty state with the icon of its area and a hint at the next step. */
export function Empty({ title, children, action }: EmptyProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const icon = areaOfPath(path, areaPages.values())?.icon ?? IconInbox
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon variant="light" size={48} radius="xl" color="gray">
          {createElement(icon, { 'aria-hidden': true })}
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

/** A placeholder while data is loading. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={38} radius="md" />
      ))}
    </Stack>
  )
}
