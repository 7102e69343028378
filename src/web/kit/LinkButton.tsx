import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Target {
  readonly to: string
  readonly search?: Readonly<Record<string, string | number>>
  readonly children: ReactNode
}

/** A link to another page, styled as text. */
export function TextLink({ to, search, children }: Target) {
  return (
    <Anchor
      size="sm"
      fw={550}
      renderRoot={(props) => <Link {...props} to={to as never} search={(search ?? {}) as never} />}
    >
      {children}
    </Anchor>
  )
}

/** A link to another page, styled as a button. */
export function LinkButton({ to, search, children, ...look }: Target & ButtonProps) {
  return (
    <Button
      {...look}
      renderRoot={(props) => <Link {...props} to={to as never} search={(search ?? {}) as never} />}
    >
      {children}
    </Button>
  )
}
