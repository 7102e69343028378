import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { SelfUpdate } from '../model.ts'
import { selfupdate } from './api.ts'
import { useSelfUpdate } from './queries.ts'

/** The version of the panel, the newest release with its notes, and how the last update ended. */
export function SelfUpdatePage() {
  const { data, error, refetch, isPending } = useSelfUpdate()
  const [isAsked, setIsAsked] = useState(false)
  const onDone = ({ message }: { readonly message: string }) => {
    setIsAsked(false)
    notify(message)
    void readAgain('selfupdate', 'jobs')
  }
  return (
    <Page title="Panel updates" about="New releases of the panel. Websites are served while it restarts.">
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="selfupdate.run" />
      {data && (
        <>
          {data.last && <LastUpdate last={data.last} />}
          <Release state={data} onUpdate={() => setIsAsked(true)} />
        </>
      )}
      {isAsked && (
        <ChangeDialog
          title={`Update the panel to version ${data?.available?.version ?? ''}`}
          confirmLabel="Update"
          call={selfupdate.updatePanel()}
          onClose={() => setIsAsked(false)}
          onDone={onDone}
        />
      )}
    </Page>
  )
}

const LastUpdate = ({ last }: { readonly last: NonNullable<SelfUpdate['last']> }) => (
  <Alert
    color={last.state === 'updated' ? 'green' : 'orange'}
    title={last.state === 'updated' ? 'Last update' : 'Rolled back'}
  >
    {last.message}, <Moment time={last.at} />.
  </Alert>
)

function Release({ state, onUpdate }: { readonly state: SelfUpdate; readonly onUpdate: () => void }) {
  const { version, available, reason, previous } = state
  return (
    <Card withBorder radius="lg" p="lg">
      <Stack gap="md" align="flex-start">
        <Title order={2} size="h4">
          {available ? `Version ${available.version} is available` : `Version ${version}`}
        </Title>
        {available && <Text size="sm">This is version {version}.</Text>}
        {available && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {available.notes}
          </Text>
        )}
        {reason && <Text size="sm">{reason}</Text>}
        {previous && <Text size="sm">hostreeve rollback returns to version {previous}.</Text>}
        {available && <Button onClick={onUpdate}>Update</Button>}
      </Stack>
    </Card>
  )
}
