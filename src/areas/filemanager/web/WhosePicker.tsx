import { Group, Select, Text } from '@mantine/core'
import { useGo } from '../../../web/kit/RowLink.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { useUsers } from '../../users/web/queries.ts'
import { useWebsites } from '../../websites/web/queries.ts'
import { isNamed, type Place } from './whose.ts'

/** Chooses whose files are shown; a superuser selects an account, or a website and thereby its owner. */
export function WhosePicker({ place }: { readonly place: Place }) {
  const me = useMe()
  if (me.data?.is_admin) return <Chooser place={place} />
  if (!isNamed(place)) return null
  return <Text size="sm">{textFor(place)}</Text>
}

function Chooser({ place }: { readonly place: Place }) {
  const go = useGo()
  const users = useUsers({ per_page: 500 })
  const websites = useWebsites({ per_page: 500 })
  const accounts = [...new Set((users.data?.items ?? []).flatMap(({ username }) => username ?? []))]
  const { username, website_id } = place.whose
  if (username !== undefined && !accounts.includes(username)) accounts.push(username)
  const groups = [
    {
      group: 'Accounts',
      items: accounts.toSorted().map((name) => ({ value: `account:${name}`, label: `Home of ${name}` })),
    },
    {
      group: 'Websites',
      items: (websites.data?.items ?? []).map(({ id, domain, username }) => ({
        value: `website:${id}`,
        label: `${domain} (${username})`,
      })),
    },
  ].filter(({ items }) => items.length > 0)
  const choose = (value: string | null) => {
    const [kind, name = ''] = value?.split(/:(.*)/s) ?? []
    if (kind === 'account') go({ to: '/files', search: { username: name } })
    const site = websites.data?.items.find(({ id }) => kind === 'website' && String(id) === name)
    if (site) go({ to: '/files', search: { website_id: site.id, path: `sites/${site.domain}` } })
  }
  return (
    <Group gap="xs">
      <Select
        aria-label="Owner of the files"
        placeholder="Choose an account or a website"
        data={groups}
        value={username ? `account:${username}` : website_id ? `website:${website_id}` : null}
        onChange={choose}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No account or website of this name has files"
        w={{ base: '100%', xs: 320 }}
        size="sm"
      />
    </Group>
  )
}

function textFor({ whose }: Place): string {
  return whose.username ? `Home of ${whose.username}` : `Home of the owner of website ${whose.website_id}`
}
