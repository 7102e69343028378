import { Anchor } from '@mantine/core'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { LinkButton, TextLink } from '../../../web/kit/LinkButton.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Installation } from '../model.ts'
import { useWordPressList } from './queries.ts'

const columns: readonly Column<Installation>[] = [
  {
    id: 'domain',
    title: 'Website',
    sort: 'domain',
    value: ({ domain }) => domain,
    cell: ({ website_id, domain }) => <TextLink to={`/wordpress/${website_id}`}>{domain}</TextLink>,
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ is_suspended: isSuspended }) => <StateBadge state={isSuspended ? 'suspended' : 'live'} />,
  },
  { id: 'version', title: 'Version', cell: ({ version }) => version ?? 'Unknown' },
  { id: 'owner', title: 'Owner', cell: ({ username }) => username },
  {
    id: 'origin',
    title: 'Installed by',
    cell: ({ is_installed_by_panel: isByPanel }) => (isByPanel ? 'The panel' : 'Its owner'),
  },
  {
    id: 'visit',
    title: 'Visit',
    cell: ({ url }) => (
      <Anchor href={url} target="_blank" rel="noreferrer" size="sm" className="anywhere">
        {url}
      </Anchor>
    ),
  },
]

const install = (
  <LinkButton to="/applications" search={{ open: 'wordpress' }} variant="default">
    Install WordPress
  </LinkButton>
)

/** The websites with WordPress in their document root. */
export function WordPressListPage() {
  const list = useListState('domain')
  const query = useWordPressList(list.asked)
  return (
    <Page
      title="WordPress"
      about="Websites with WordPress, installed by the panel or by their owners."
      actions={install}
    >
      <DataTable
        label="WordPress"
        columns={columns}
        query={query}
        rowKey={({ website_id }) => website_id}
        list={list}
        searchLabel="Search websites"
        empty={
          <Empty title={list.search ? 'Nothing found' : 'No WordPress yet'}>
            {list.search
              ? 'No website with WordPress matches.'
              : 'Install it as an application, or put it into the folder of a PHP website.'}
          </Empty>
        }
      />
    </Page>
  )
}
