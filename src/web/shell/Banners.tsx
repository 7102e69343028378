import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlugConnectedX, IconShieldOff } from '@tabler/icons-react'
import { useMe } from '../../areas/auth/web/queries.ts'
import { tryNow } from '../connection.ts'
import { useConnection } from '../use-session.ts'
import { useHost } from './host.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** States of the panel that concern every page. */
export function Banners() {
  const { isLost, answeredAt } = useConnection()
  return (
    <Stack gap="xs" className="banners" aria-live="assertive">
      {isLost && (
        <Alert
          color="red"
          icon={<IconPlugConnectedX aria-hidden />}
          title="Connection lost"
          className="banner"
        >
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              The panel last answered at {clock.format(answeredAt)}. What this page shows is from then; it is
              updated as soon as the panel answers.
            </Text>
            <Button size="xs" variant="default" onClick={tryNow}>
              Try now
            </Button>
          </Group>
        </Alert>
      )}
      <WithoutRoot />
    </Stack>
  )
}

/** Administrators learn once, and not from each failure, that the panel may not change the host. */
function WithoutRoot() {
  const me = useMe()
  const { data } = useHost()
  if (!me.data?.is_admin || data === undefined || data.panel.is_root) return null
  return (
    <Alert
      color="orange"
      icon={<IconShieldOff aria-hidden />}
      title="The panel does not run as root"
      className="banner"
    >
      <Text size="sm">
        It can show this host, but it cannot change accounts, services, packages or the files of others.
        Restart it as root to administer the host.
      </Text>
    </Alert>
  )
}
