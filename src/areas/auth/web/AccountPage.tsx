import { Group, SimpleGrid, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { OwnUsage } from '../../limits/web/OwnUsage.tsx'
import { SshKeys } from '../../ssh/web/SshKeys.tsx'
import { ApiKeys } from '../../users/web/ApiKeys.tsx'
import { PasswordEdit } from '../model.ts'
import { auth } from './api.ts'
import { Passkeys } from './Passkeys.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { changePassword, createOwnApiKey, useMe, useOwnApiKeys } from './queries.ts'
import { SecondFactor } from './SecondFactor.tsx'
import { SessionList } from './SessionList.tsx'

const text = {
  current_password: { label: 'Current password', hint: '' },
  new_password: {
    label: 'New password',
    hint: 'At least 10 characters. This ends your other sessions; API keys stay valid.',
  },
}
const autoComplete = { current_password: 'current-password', new_password: 'new-password' }

/** The user's own account: name, time zone, password, passkeys, sessions and API keys. */
export function AccountPage() {
  const me = useMe()
  const keys = useOwnApiKeys()
  return (
    <Page title="Your account" about={me.data?.email}>
      {me.error && !me.data && <Failure error={me.error} onRetry={() => void me.refetch()} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <SectionCard title="Profile">
          {me.data ? <ProfileForm key={me.data.revision} me={me.data} /> : <Loading />}
        </SectionCard>
        <SectionCard title="Change the password">
          <PasswordForm />
        </SectionCard>
        <SectionCard title="Two-factor authentication">
          <SecondFactor />
        </SectionCard>
        <SectionCard title="Passkeys">
          <Passkeys />
        </SectionCard>
        {me.data?.username && <OwnUsage uid={me.data.id} />}
      </SimpleGrid>
      <Sessions />
      {me.data?.username && <SshKeys uid={me.data.id} username={me.data.username} />}
      <ApiKeys
        keys={keys}
        create={createOwnApiKey}
        creation={(body) => auth.createOwnApiKey({ body })}
        deletion={(kid) => auth.deleteOwnApiKey({ params: { kid } })}
        onDeleted={() => readAgain('own-keys')}
        holder="you"
      />
    </Page>
  )
}

function PasswordForm() {
  const change = async (body: PasswordEdit) => {
    await changePassword(body)
    notify('The password was changed. Your other sessions have ended.')
  }
  return (
    <SchemaForm
      schema={PasswordEdit}
      text={text}
      autoComplete={autoComplete}
      submitLabel="Change the password"
      reviewOf={(body) => auth.changePassword({ body })}
      onSubmit={change}
    />
  )
}

function Sessions() {
  const [isEnding, setEnding] = useState(false)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Sessions
        </Title>
        <CutOffButton onClick={() => setEnding(true)}>End all other sessions</CutOffButton>
      </Group>
      <SessionList />
      {isEnding && (
        <ChangeDialog
          title="End all other sessions"
          confirmLabel="End the sessions"
          isCutOff
          call={auth.endOtherSessions()}
          onClose={() => setEnding(false)}
          onDone={() => {
            setEnding(false)
            notify('All other sessions have ended.')
            return readAgain('sessions')
          }}
        />
      )}
    </Stack>
  )
}
