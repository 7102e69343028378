import { Card, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import Type from 'typebox'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { SshAccess } from '../../ssh/web/SshAccess.tsx'
import { SshKeys } from '../../ssh/web/SshKeys.tsx'
import { type User, UserDraft } from '../model.ts'
import { readAgain } from '../../../web/queries.ts'
import { users } from './api.ts'
import { ApiKeys } from './ApiKeys.tsx'
import { HostingAccount } from './HostingAccount.tsx'
import { Permissions } from './Permissions.tsx'
import { createApiKey, editUser, useApiKeys, useUser } from './queries.ts'
import { UserActions } from './UserActions.tsx'

const Profile = Type.Object({ email: UserDraft.properties.email, fullname: UserDraft.properties.fullname })

/** One panel user: profile, permissions, API keys, password, Linux account, suspension. */
export function UserPage() {
  const uid = Number((useParams({ strict: false }) as { uid?: string }).uid)
  const { data: user, error, refetch } = useUser(uid)
  if (error && !user)
    return (
      <Page title="User">
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    )
  return user ? (
    <UserView key={user.revision} user={user} />
  ) : (
    <Page title="User">
      <Loading />
    </Page>
  )
}

function UserView({ user }: { readonly user: User }) {
  const text = useMemo(
    () => ({ email: { label: 'E-mail', hint: '', first: user.email }, fullname: { first: user.fullname } }),
    [user],
  )
  const save = async (body: { email: string; fullname: string }) => {
    await editUser(user.id, body)
    notify('The profile was saved.')
  }
  return (
    <Page
      title={user.email}
      about={
        <Group gap="xs">
          <StateBadge state={user.is_suspended ? 'suspended' : 'active'} />
          {user.username && (
            <Text span size="sm">
              Linux account {user.username}
            </Text>
          )}
        </Group>
      }
      actions={<UserActions user={user} />}
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Card withBorder radius="lg" p="lg">
          <Title order={2} size="h4" mb="md">
            Profile
          </Title>
          <SchemaForm
            schema={Profile}
            text={text}
            submitLabel="Save"
            reviewOf={(body) => users.editUser({ params: { uid: user.id }, body })}
            onSubmit={save}
          />
        </Card>
        <Permissions user={user} />
        {user.username !== null && <HostingAccount user={user} username={user.username} />}
        {user.username !== null && <SshAccess uid={user.id} username={user.username} />}
      </SimpleGrid>
      {user.username !== null && <SshKeys uid={user.id} username={user.username} />}
      <ApiKeys
        keys={useApiKeys(user.id)}
        create={(draft) => createApiKey(user.id, draft)}
        creation={(body) => users.createApiKey({ params: { uid: user.id }, body })}
        deletion={(kid) => users.deleteApiKey({ params: { uid: user.id, kid } })}
        onDeleted={() => readAgain('users')}
        holder="this user"
      />
    </Page>
  )
}
