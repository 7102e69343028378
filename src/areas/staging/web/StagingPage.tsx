import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useWebsite } from '../../websites/web/queries.ts'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import type { StagingCopy } from '../model.ts'
import { useStaging } from './queries.ts'
import { CreateDialog, DeleteDialog, PushDialog } from './StagingDialogs.tsx'

type Asked =
  | { readonly what: 'create' }
  | { readonly what: 'push'; readonly copy: StagingCopy }
  | { readonly what: 'delete'; readonly copy: StagingCopy }

/** The staging copies of a website, or the website of which it is a copy. */
export function StagingPage() {
  const id = useWebsiteId()
  const website = useWebsite(id)
  const { data, error, refetch } = useStaging(id)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const domain = website.data?.domain ?? ''
  return (
    <Page
      title={website.data?.domain ?? 'Website'}
      about="A copy at another domain to try changes in, which are then pushed."
    >
      <WebsiteTabs id={id} />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data?.copy && (
        <SectionCard title={`Copy of ${data.copy.origin_domain ?? 'a deleted website'}`}>
          <Text size="sm">It sends no mail, and search engines are asked to leave it out.</Text>
          <CopyRow copy={data.copy} onAsk={setAsked} />
        </SectionCard>
      )}
      {data && !data.copy && website.data && (
        <SectionCard title="Staging copies">
          {website.data.type === 'proxy' ? (
            <Alert color="blue">A website that forwards to an upstream has no files to copy.</Alert>
          ) : (
            <Stack gap="md">
              {data.copies.length === 0 && <Text size="sm">There is no staging copy yet.</Text>}
              {data.copies.map((copy) => (
                <CopyRow key={copy.website_id} copy={copy} onAsk={setAsked} />
              ))}
              <Button w="fit-content" onClick={() => setAsked({ what: 'create' })}>
                New staging copy
              </Button>
            </Stack>
          )}
        </SectionCard>
      )}
      {asked?.what === 'create' && <CreateDialog id={id} domain={domain} onClose={close} />}
      {asked?.what === 'push' && (
        <PushDialog
          id={asked.copy.website_id}
          domain={asked.copy.domain}
          origin={asked.copy.origin_domain ?? ''}
          onClose={close}
        />
      )}
      {asked?.what === 'delete' && (
        <DeleteDialog id={asked.copy.website_id} domain={asked.copy.domain} onClose={close} />
      )}
    </Page>
  )
}

interface CopyRowProps {
  readonly copy: StagingCopy
  readonly onAsk: (asked: Asked) => void
}

function CopyRow({ copy, onAsk }: CopyRowProps) {
  const { website_id: id, domain, origin_domain: origin, created_at: created, pushed_at: pushed } = copy
  return (
    <Group justify="space-between" role="group" aria-label={domain}>
      <Stack gap={2}>
        <TextLink to={`/websites/${id}`}>{domain}</TextLink>
        <Text size="sm">
          Made <Moment time={created} />
          {pushed !== null && (
            <>
              , pushed <Moment time={pushed} />
            </>
          )}
        </Text>
      </Stack>
      <Group gap="sm">
        <Button variant="default" disabled={origin === null} onClick={() => onAsk({ what: 'push', copy })}>
          Push to {origin ?? 'nothing'}
        </Button>
        <Button variant="default" color="red" onClick={() => onAsk({ what: 'delete', copy })}>
          Delete
        </Button>
      </Group>
    </Group>
  )
}
