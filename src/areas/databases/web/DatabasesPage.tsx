import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { useListState } from '../../../web/kit/list-state.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { NewDatabase } from './NewDatabase.tsx'
import { DatabaseTable } from './DatabaseTable.tsx'
import { engineTitles } from './engines.ts'
import { useDatabases } from './queries.ts'

/** The databases of all websites: the user's own, or all for a superuser. */
export function DatabasesPage() {
  const list = useListState('name')
  const [engine, setEngine] = useState<string>('all')
  const query = useDatabases(engine === 'all' ? list.asked : { ...list.asked, engine })
  const [isCreating, setCreating] = useLinkedDialog('new')
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New database
    </Button>
  )
  return (
    <Page
      title="Databases"
      about="Databases of websites on the database servers of this host."
      actions={create}
    >
      <SegmentedControl
        aria-label="Server"
        mb="md"
        size="xs"
        w="fit-content"
        value={engine}
        onChange={setEngine}
        data={[
          { value: 'all', label: 'All' },
          { value: 'mariadb', label: engineTitles.mariadb },
          { value: 'postgresql', label: engineTitles.postgresql },
          { value: 'mongodb', label: engineTitles.mongodb },
        ]}
      />
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
