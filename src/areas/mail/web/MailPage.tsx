import { Alert, Button, Paper, SimpleGrid, Stack } from '@mantine/core'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useInstalling } from '../../programs/web/Installing.tsx'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { MailSettings } from '../model.ts'
import { QueueTable } from './QueueTable.tsx'
import { useMail } from './queries.ts'
import { RelayForm } from './RelayForm.tsx'
import { RelayState } from './RelayState.tsx'
import { TestMessage } from './TestMessage.tsx'

/** How the mail of the host is delivered, and what waits. */
export function MailPage() {
  const { data, error, refetch, isPending } = useMail()
  return (
    <Page title="Mail relay" about="How mail that programs of this host send reaches other hosts.">
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && (data.installed ? <Delivery settings={data} /> : <NotInstalled />)}
    </Page>
  )
}

function Delivery({ settings }: { readonly settings: MailSettings }) {
  return (
    <Stack gap="xl">
      {settings.reason !== '' && (
        <Alert color="orange" title="The settings cannot be changed here">
          {settings.reason}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <SectionCard title="Delivery">
          <RelayState settings={settings} />
          <RelayForm key={JSON.stringify(settings)} settings={settings} />
        </SectionCard>
        <SectionCard title="Test">
          <TestMessage />
        </SectionCard>
      </SimpleGrid>
      <QueueTable />
    </Stack>
  )
}

function NotInstalled() {
  const { start, isStarting, dialog } = useInstalling('mail')
  return (
    <Paper withBorder radius="lg">
      <OngoingWork kind="programs.install" />
      <Empty
        title="Exim is not installed"
        action={
          <Button mt="sm" loading={isStarting} onClick={() => start('exim')}>
            Install Exim
          </Button>
        }
      >
        It delivers the mail of programs of this host, directly or through a relay. The panel installs it from
        the packages of this host.
      </Empty>
      {dialog}
    </Paper>
  )
}
