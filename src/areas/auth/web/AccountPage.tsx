import { Card, SimpleGrid, Title } from '@mantine/core'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PasswordEdit } from '../model.ts'
import { changePassword, useMe } from './queries.ts'
import { SessionList } from './SessionList.tsx'

const text = {
  current_password: { label: 'Current password', hint: '' },
  new_password: {
    label: 'New password',
    hint: 'At least 10 characters. This ends all your sessions, including this one.',
  },
}
const autoComplete = { current_password: 'current-password', new_password: 'new-password' }

/** The user's own account: its sessions and its password. */
export function AccountPage() {
  const me = useMe()
  return (
    <Page title="Your account" about={me.data?.email}>
      <SessionList />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card withBorder radius="lg" p="lg">
          <Title order={2} size="h4" mb="md">
            Change the password
          </Title>
          <SchemaForm
            schema={PasswordEdit}
            text={text}
            autoComplete={autoComplete}
            submitLabel="Change the password"
            onSubmit={changePassword}
          />
        </Card>
      </SimpleGrid>
    </Page>
  )
}
