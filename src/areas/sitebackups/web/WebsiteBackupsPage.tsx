import { Button, Stack } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { useState } from 'react'
import { useListState } from '../../../web/kit/list-state.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { useWebsite } from '../../websites/web/queries.ts'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import { BackupSets } from './BackupSets.tsx'
import { BackupTable } from './BackupTable.tsx'
import { BackUpNow } from './BackUpNow.tsx'
import { RestoreCalendar } from './RestoreCalendar.tsx'
import { WebsiteDrills } from './WebsiteDrills.tsx'

/** The backups of a website, and its sets. */
export function WebsiteBackupsPage() {
  const id = useWebsiteId()
  const { data } = useWebsite(id)
  const list = useListState('-time_mark')
  const [isBackingUp, setBackingUp] = useState(false)
  const backUp = (
    <Button
      leftSection={<IconArchive size={16} aria-hidden />}
      disabled={!data}
      onClick={() => setBackingUp(true)}
    >
      Back up now
    </Button>
  )
  return (
    <Page title={data?.domain ?? 'Website'} about="Backups of the website." actions={backUp}>
      <WebsiteTabs id={id} />
      <Stack gap="lg">
        <RestoreCalendar id={id} />
        <BackupTable id={id} list={list} />
        {data && <WebsiteDrills website={data} />}
        <BackupSets id={id} />
      </Stack>
      {isBackingUp && data && <BackUpNow website={data} onClose={() => setBackingUp(false)} />}
    </Page>
  )
}
