import { SimpleGrid, Stack } from '@mantine/core'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { EncryptionCard } from './EncryptionCard.tsx'
import { PanelBackups } from './PanelBackups.tsx'
import { StorageCard } from './StorageCard.tsx'
import { useBackupSettings } from './queries.ts'

/** The backups of the panel itself, where backups go, and the key that they are encrypted with. */
export function BackupSettingsPage() {
  const { data, error, refetch, isPending } = useBackupSettings()
  return (
    <Page
      title="Backup settings"
      about="Backups of the panel itself, the S3 storage of all backups, and their encryption."
    >
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && (
        <Stack gap="xl">
          <PanelBackups />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <StorageCard key={JSON.stringify(data)} settings={data} />
            <EncryptionCard settings={data} />
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  )
}
