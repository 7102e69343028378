import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useListState } from '../../../web/kit/list-state.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWebsite } from '../../websites/web/queries.ts'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import { DatabaseTable } from './DatabaseTable.tsx'
import { NewDatabaseOf } from './NewDatabase.tsx'
import { useDatabaseHost, useDatabasesOfWebsite } from './queries.ts'

/** The databases of a website, and where its programs reach them. */
export function WebsiteDatabasesPage() {
  const id = useWebsiteId()
  const website = useWebsite(id)
  const list = useListState('name')
  const query = useDatabasesOfWebsite(id, list.asked)
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={!website.data}
      onClick={() => setCreating(true)}
    >
      New database
    </Button>
  )
  return (
    <Page title={website.data?.domain ?? 'Website'} about="Databases of the website." actions={create}>
      <WebsiteTabs id={id} />
      <DatabaseTable
        list={list}
        query={query}
        empty={
          <Empty title={list.search ? 'Nothing found' : 'No databases yet'}>
            {list.search ? 'No database matches.' : 'A database has a user with all rights on it.'}
          </Empty>
        }
      />
      <ServerAddress />
      {isCreating && website.data && (
        <NewDatabaseOf website={website.data} onClose={() => setCreating(false)} />
      )}
    </Page>
  )
}

/** What programs of the website enter as the host of the database. */
function ServerAddress() {
  const { data } = useDatabaseHost()
  if (!data) return null
  return (
    <Text size="sm" c="dimmed" mt="md">
      Programs on this host connect to {data.host}
      {data.port === null ? '' : `, port ${data.port},`} or to the socket {data.socket}.
    </Text>
  )
}
