import { Anchor, Button, Card, Group, List, Stack, Switch, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { useMe } from '../../auth/web/queries.ts'
import type { User } from '../model.ts'
import { users } from './api.ts'
import { useSudo, useWebapps } from './queries.ts'

interface AccountProps {
  readonly user: User
  readonly username: string
}

/** The Linux account of a user: whether it has sudo, and its websites. */
export function HostingAccount({ user, username }: AccountProps) {
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="md">
        Linux account {username}
      </Title>
      <Stack gap="md">
        <Sudo user={user} username={username} />
        <Websites user={user} />
      </Stack>
    </Card>
  )
}

function Sudo({ user, username }: AccountProps) {
  const me = useMe()
  const rights = useSudo(user.id)
  const [isAsking, setIsAsking] = useState(false)
  if (rights.error) return <Failure error={rights.error} />
  if (!rights.data) return <Loading rows={1} />
  const { sudo } = rights.data
  const done = async () => {
    setIsAsking(false)
    notify(`Passwordless sudo of ${username} is ${sudo ? 'off' : 'on'}.`)
    await readAgain('users')
  }
  return (
    <>
      <Switch
        label="Passwordless sudo"
        description="Every command as root. Only a superuser switches it on."
        checked={sudo}
        disabled={!sudo && me.data?.is_admin !== true}
        onChange={() => setIsAsking(true)}
      />
      {isAsking && (
        <ChangeDialog
          title={`${sudo ? 'Switch off' : 'Switch on'} passwordless sudo of ${username}`}
          confirmLabel={sudo ? 'Switch off' : 'Switch on'}
          call={users.setSudo({ params: { uid: user.id }, body: { username, sudo: !sudo } })}
          onClose={() => setIsAsking(false)}
          onDone={done}
        />
      )}
    </>
  )
}

function Websites({ user }: { readonly user: User }) {
  const sites = useWebapps(user.id)
  const [isAsking, setIsAsking] = useState(false)
  if (sites.error) return <Failure error={sites.error} />
  if (!sites.data) return <Loading rows={1} />
  if (sites.data.length === 0) return <Text size="sm">The user has no websites.</Text>
  const done = ({ message }: { readonly message: string }) => {
    setIsAsking(false)
    notify(`${message}.`)
  }
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">Websites</Text>
        <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
          Rewrite configuration
        </Button>
      </Group>
      <List size="sm">
        {sites.data.map(({ id, domain }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={`/websites/${id}` as never} size="sm" underline="always">
              {domain}
            </Anchor>
          </List.Item>
        ))}
      </List>
      {isAsking && (
        <ChangeDialog
          title={`Write the web server files of ${user.email} again`}
          confirmLabel="Write them again"
          call={users.rewriteConfigs({ params: { uid: user.id } })}
          onClose={() => setIsAsking(false)}
          onDone={done}
        />
      )}
    </>
  )
}
