import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconHistory, IconLogout, IconUser, IconUserCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe, useSignOut } from '../../areas/auth/web/queries.ts'

/** The menu of the signed-in user: account, own activity, sign out. */
export function AccountMenu() {
  const me = useMe()
  const signOut = useSignOut()
  const name = me.data?.fullname || me.data?.email || ''
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          variant="light"
          color="indigo"
          radius="xl"
          size={36}
          aria-label={`Account of ${name || 'you'}`}
        >
          <IconUser size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {me.data?.email}
          </Text>
        </Menu.Label>
        <Menu.Item
          leftSection={<IconUserCog size={16} aria-hidden />}
          renderRoot={(props) => <Link {...props} to={'/account' as never} />}
        >
          Sessions and password
        </Menu.Item>
        <Menu.Item
          leftSection={<IconHistory size={16} aria-hidden />}
          renderRoot={(props) => <Link {...props} to={'/account/activity' as never} />}
        >
          My activity
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
