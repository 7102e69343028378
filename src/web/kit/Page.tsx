import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Crumbs } from './Crumbs.tsx'
import { GuideLink } from './GuideLink.tsx'

interface PageProps {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page: title, description, actions and content. */
export function Page({ title, about, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Hostreeve`)
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div className="page-title">
          <Crumbs title={title} />
          <Group gap={6} wrap="nowrap">
            <Title order={1} size="h2" tabIndex={-1}>
              {title}
            </Title>
            <GuideLink />
          </Group>
          {about && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {about}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
