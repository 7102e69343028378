import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { useListState } from '../../../web/kit/list-state.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { NewDatabase } from './NewDatabase.tsx'
import { DatabaseTable } from './DatabaseTable.tsx'
import { useDatabases } from './queries.ts'

/** The databases of all websites: the user's own, or all for a superuser. */
export function DatabasesPage() {
  const list = useListState('name')
  const query = useDatabases(list.asked)
  const [isCreating, setCreating] = useLinkedDialog('new')
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New database
    </Button>
  )
  return (
    <Page title="Databases" about="Databases of websites on the SQL server of this host." actions={create}>
      <DatabaseTable
        list={list}
        query={query}
        hasWebsites
        empty={
          list.search ? (
            <Empty title="Nothing found">No database matches.</Empty>
          ) : (
            <Empty title="No databases yet" action={create}>
              A database belongs to a website.
            </Empty>
          )
        }
      />
      {isCreating && <NewDatabase onClose={() => setCreating(false)} />}
    </Page>
  )
}
