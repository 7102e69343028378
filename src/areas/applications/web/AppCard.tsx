import { Badge, Button, Card, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { type Icon, IconArticle, IconBook, IconBox, IconCode } from '@tabler/icons-react'
import { createElement } from 'react'
import type { CatalogApplication } from '../model.ts'

const icons: Readonly<Record<string, Icon>> = { article: IconArticle, book: IconBook, code: IconCode }

const sources: Readonly<Record<CatalogApplication['source'], string>> = {
  package: 'Debian package',
  download: 'Verified download',
  included: 'Included',
}

interface AppCardProps {
  readonly app: CatalogApplication
  readonly onInstall: () => void
}

/** An application of the catalog, with the button that installs it or the reason why there is none. */
export const AppCard = ({ app, onInstall }: AppCardProps) => (
  <Card role="listitem" withBorder radius="lg" p="md">
    <Stack gap="xs" h="100%">
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" size={36} radius="md" color="gray">
          {createElement(icons[app.icon] ?? IconBox, { size: 20, 'aria-hidden': true })}
        </ThemeIcon>
        <Text fw={600} className="anywhere">
          {app.name}
        </Text>
      </Group>
      <Text size="sm" flex={1}>
        {app.description}
      </Text>
      {app.reason !== null && (
        <Text size="sm" c="dimmed">
          {app.reason}
        </Text>
      )}
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Badge variant="light" color="gray" tt="none">
          {app.version ?? sources[app.source]}
        </Badge>
        <Button
          size="xs"
          variant="default"
          flex="none"
          aria-label={`Install ${app.name}`}
          disabled={!app.available}
          onClick={onInstall}
        >
          Install
        </Button>
      </Group>
    </Stack>
  </Card>
)
