import { Chip, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { OnceShownDialog } from '../../../../web/kit/OnceShownDialog.tsx'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import type { Category } from '../../catalog/model.ts'
import { ContainersFrame } from '../ContainersFrame.tsx'
import { useCatalog } from '../queries.ts'
import { type Entry, entriesOf, findEntries, type Sought } from './entries.ts'
import { EntryCard } from './EntryCard.tsx'
import { type Credential, LaunchDialog } from './LaunchDialog.tsx'

const everything: Sought = { text: '', category: '', kind: '' }

interface Launched {
  readonly name: string
  readonly credentials: readonly Credential[]
}

/** The apps and stacks that can be launched. */
export function CatalogPage() {
  const { data, error, refetch } = useCatalog()
  const [sought, seek] = useState(everything)
  const [launching, launch] = useState<Entry>()
  const [launched, setLaunched] = useState<Launched>()
  const entries = useMemo(() => data && entriesOf(data), [data])
  const found = entries && findEntries(entries, sought)
  return (
    <ContainersFrame>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && <Filters sought={sought} categories={data.categories} onChange={seek} />}
      {found && (
        <Text size="sm" c="dimmed" role="status">
          {found.length} of {entries.length}
        </Text>
      )}
      {found?.length === 0 && <Empty title="Nothing in the catalog matches" />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="list" aria-label="Catalog">
        {found?.map((entry) => (
          <EntryCard key={`${entry.kind} ${entry.id}`} entry={entry} onLaunch={() => launch(entry)} />
        ))}
      </SimpleGrid>
      {launching && (
        <LaunchDialog
          entry={launching}
          onClose={() => launch(undefined)}
          onLaunched={(name, credentials) => {
            launch(undefined)
            setLaunched({ name, credentials })
          }}
        />
      )}
      {launched && launched.credentials.length > 0 && (
        <OnceShownDialog
          title={`Passwords of ${launched.name}`}
          label="list of passwords"
          secret={launched.credentials
            .map(({ service, variable, value }) => `${service}: ${variable}=${value}`)
            .join('\n')}
          fileName={`${launched.name}-passwords.txt`}
          onClose={() => setLaunched(undefined)}
        />
      )}
    </ContainersFrame>
  )
}

interface FiltersProps {
  readonly sought: Sought
  readonly categories: readonly Category[]
  readonly onChange: (sought: Sought) => void
}

const kinds: readonly { readonly value: Sought['kind']; readonly label: string }[] = [
  { value: '', label: 'Apps and stacks' },
  { value: 'app', label: 'Apps' },
  { value: 'stack', label: 'Stacks' },
]

const kindOf = (typed: string): Sought['kind'] => kinds.find(({ value }) => value === typed)?.value ?? ''

const Filters = ({ sought, categories, onChange }: FiltersProps) => (
  <Group gap="sm">
    <TextInput
      type="search"
      flex="1 1 220px"
      maw={360}
      aria-label="Search the catalog"
      placeholder="Search the catalog"
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={100}
      value={sought.text}
      onChange={(event) => onChange({ ...sought, text: event.currentTarget.value })}
    />
    <NativeSelect
      aria-label="Kind"
      data={[...kinds]}
      value={sought.kind}
      onChange={(event) => onChange({ ...sought, kind: kindOf(event.currentTarget.value) })}
    />
    <Chip.Group
      value={sought.category}
      onChange={(chosen) =>
        onChange({ ...sought, category: categories.find((category) => category === chosen) ?? '' })
      }
    >
      <Group gap="xs" role="radiogroup" aria-label="Category">
        <Chip value="">All</Chip>
        {categories.map((category) => (
          <Chip key={category} value={category}>
            {category}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  </Group>
)
