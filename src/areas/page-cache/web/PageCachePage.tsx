import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import Type from 'typebox'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { pageCacheFields } from '../../websites/page-cache-model.ts'
import { useWebsite } from '../../websites/web/queries.ts'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import type { PageCache, PageCacheEdit } from '../model.ts'
import { editCall, editPageCache, purgeCall, readPageCacheAgain, usePageCache } from './queries.ts'

/** The page cache of a website: its settings, what it keeps, and how it is emptied. */
export function PageCachePage() {
  const id = useWebsiteId()
  const website = useWebsite(id)
  const { data, error, refetch } = usePageCache(id)
  const isPhp = website.data?.type === 'php'
  return (
    <Page
      title={website.data?.domain ?? 'Website'}
      about="nginx keeps pages of PHP for a while and answers without PHP."
    >
      <WebsiteTabs id={id} />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && (!data || !website.data) && <Loading />}
      {data && website.data && !isPhp && (
        <Alert color="blue">Only websites of PHP have a page cache: files are served by nginx itself.</Alert>
      )}
      {data && isPhp && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <SettingsCard id={id} cache={data} />
          <PagesCard id={id} cache={data} />
        </SimpleGrid>
      )}
    </Page>
  )
}

const schema = Type.Object(pageCacheFields)
const text: FieldTexts = {
  is_enabled: { label: 'Keep pages' },
  lifetime_seconds: {
    label: 'Lifetime in seconds',
    hint: 'At most; an application may say otherwise with Cache-Control',
  },
  max_size_mb: { label: 'Size in MiB', hint: 'Of all pages; the least used are removed' },
  uncached_paths: { label: 'Paths never kept', hint: 'Such as /wp-admin/, with everything below' },
  uncached_cookies: {
    label: 'Cookies of visitors who get fresh pages',
    hint: 'Beginnings of names such as wordpress_logged_in_',
  },
  caches_queries: { label: 'Keep addresses with a query too' },
}

interface CardProps {
  readonly id: number
  readonly cache: PageCache
}

function SettingsCard({ id, cache }: CardProps) {
  const { purges_on_change: _, pages: __, size_bytes: ___, ...settings } = cache
  const bodyOf = (draft: Readonly<Record<string, unknown>>) => draft as PageCacheEdit
  const save = async (draft: Readonly<Record<string, unknown>>) => {
    await editPageCache(id, bodyOf(draft))
    notify('The page cache was changed.')
  }
  return (
    <SectionCard title="Settings">
      <SchemaForm
        key={JSON.stringify(settings)}
        schema={schema}
        text={text}
        given={settings}
        submitLabel="Save"
        reviewOf={(draft) => editCall(id, bodyOf(draft))}
        onSubmit={save}
      />
    </SectionCard>
  )
}

function PagesCard({ id, cache }: CardProps) {
  const [path, setPath] = useState('')
  const [asked, setAsked] = useState<string>()
  const { is_enabled: isOn, pages, size_bytes: bytes, purges_on_change: isPurged } = cache
  return (
    <SectionCard title="Pages">
      <Stack gap="md">
        <Text>
          {isOn
            ? `${pages.toLocaleString()} ${pages === 1 ? 'page' : 'pages'}, ${formatBytes(bytes)}`
            : 'No pages are kept.'}
        </Text>
        {isOn && (
          <Text size="sm">
            {isPurged
              ? 'WordPress empties the cache when something changes.'
              : 'Nothing empties the cache when something changes: pages are at most as old as the lifetime.'}
          </Text>
        )}
        <Group align="flex-end">
          <TextInput
            label="Path"
            description="Leave blank for all pages"
            placeholder="/about/"
            disabled={!isOn}
            value={path}
            onChange={({ currentTarget: { value } }) => setPath(value)}
          />
          <Button variant="default" disabled={!isOn} onClick={() => setAsked(path.trim())}>
            Empty the cache
          </Button>
        </Group>
      </Stack>
      {asked !== undefined && (
        <ChangeDialog
          title={asked === '' ? 'Remove all pages from the cache' : `Remove ${asked} from the cache`}
          confirmLabel="Remove pages"
          call={purgeCall(id, asked)}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined)
            notify('The pages were removed.')
            void readPageCacheAgain()
          }}
        />
      )}
    </SectionCard>
  )
}
