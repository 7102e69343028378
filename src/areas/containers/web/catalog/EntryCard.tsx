import { Badge, Button, Card, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import {
  type Icon,
  IconAntenna,
  IconArticle,
  IconBell,
  IconBook,
  IconBox,
  IconBucket,
  IconChartLine,
  IconCloud,
  IconCode,
  IconDatabase,
  IconGitBranch,
  IconHeartbeat,
  IconHome,
  IconLink,
  IconList,
  IconLock,
  IconMail,
  IconMovie,
  IconRobot,
  IconSearch,
  IconServer,
} from '@tabler/icons-react'
import { createElement } from 'react'
import type { Entry } from './entries.ts'

const icons: Readonly<Record<string, Icon>> = {
  antenna: IconAntenna,
  article: IconArticle,
  bell: IconBell,
  book: IconBook,
  bucket: IconBucket,
  chart: IconChartLine,
  cloud: IconCloud,
  code: IconCode,
  database: IconDatabase,
  git: IconGitBranch,
  heartbeat: IconHeartbeat,
  home: IconHome,
  link: IconLink,
  list: IconList,
  lock: IconLock,
  mail: IconMail,
  movie: IconMovie,
  robot: IconRobot,
  search: IconSearch,
  server: IconServer,
}

/** An app or a stack of the catalog, with the button that launches it. */
export const EntryCard = ({ entry, onLaunch }: { readonly entry: Entry; readonly onLaunch: () => void }) => (
  <Card role="listitem" withBorder radius="lg" p="md">
    <Stack gap="xs" h="100%">
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" size={36} radius="md" color="gray">
          {createElement(icons[entry.icon] ?? IconBox, { size: 20, 'aria-hidden': true })}
        </ThemeIcon>
        <Text fw={600} className="anywhere">
          {entry.name}
        </Text>
      </Group>
      <Text size="sm" flex={1}>
        {entry.description}
      </Text>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap={6}>
          <Badge variant="light" color="gray" tt="none">
            {entry.category}
          </Badge>
          {entry.kind === 'stack' && (
            <Badge variant="light" color="indigo" tt="none">
              Stack of {entry.parts.length}
            </Badge>
          )}
        </Group>
        <Button
          size="xs"
          variant="default"
          flex="none"
          aria-label={`Launch ${entry.name}${entry.kind === 'stack' ? ' as a stack' : ''}`}
          onClick={onLaunch}
        >
          Launch
        </Button>
      </Group>
    </Stack>
  </Card>
)
