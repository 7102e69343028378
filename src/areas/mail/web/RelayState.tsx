import { Group, Text } from '@mantine/core'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { MailSettings } from '../model.ts'

const meanings: Readonly<Record<string, string>> = {
  internet: 'Mail is sent directly to the hosts of its receivers.',
  smarthost: 'Mail is sent through the relay.',
  satellite: 'All mail is sent through the relay, also that for local users.',
  local: 'Mail to other hosts is refused: only local users receive mail.',
}

/** What the settings mean, and whether the queue is sent again. */
export const RelayState = ({
  settings: { configured_type: type, running },
}: {
  readonly settings: MailSettings
}) => (
  <Group gap="sm">
    <StateBadge state={running ? 'running' : 'stopped'} />
    <Text size="sm">
      {meanings[type] ?? `The type of the configuration is ${type || 'not set'}.`}
      {!running && ' Exim does not run: what waits in the queue is not sent again.'}
    </Text>
  </Group>
)
