import { Anchor, Card, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { IconExternalLink, IconFolder } from '@tabler/icons-react'
import { useWebsiteId } from './use-website-id.ts'
import type { ReactNode } from 'react'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Website } from '../model.ts'
import { Aliases } from './Aliases.tsx'
import { DnsRecords } from './DnsRecords.tsx'
import { NextSteps } from './NextSteps.tsx'
import { useWebsite } from './queries.ts'
import { WebsiteActions } from './WebsiteActions.tsx'
import { WebsiteLogs } from './WebsiteLogs.tsx'
import { WebsiteTabs } from './WebsiteTabs.tsx'

/** One website: its runtime, names, files and logs. */
export function WebsitePage() {
  const id = useWebsiteId()
  const { data: website, error, refetch } = useWebsite(id)
  if (error && !website)
    return (
      <Page title="Website">
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    )
  return website ? (
    <WebsiteView website={website} />
  ) : (
    <Page title="Website">
      <Loading />
    </Page>
  )
}

function WebsiteView({ website }: { readonly website: Website }) {
  const files = { website_id: website.id, path: `sites/${website.domain}/public` }
  return (
    <Page
      title={website.domain}
      about={
        <Group gap="xs">
          <StateBadge state={website.is_suspended ? 'suspended' : 'live'} />
        </Group>
      }
      actions={<WebsiteActions website={website} />}
    >
      <WebsiteTabs id={website.id} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Card withBorder radius="lg" p="lg">
          <Title order={2} size="h4" mb="sm">
            Details
          </Title>
          <Fact name="Owner">{website.username}</Fact>
          <Fact name="Folder">
            <Text span size="sm" ff="monospace" className="anywhere">
              {website.root}
            </Text>
          </Fact>
          <Fact name="Created">
            <Moment time={website.created_at} />
          </Fact>
          <Group gap="xs" mt="md">
            <LinkButton
              to="/files"
              search={files}
              variant="light"
              leftSection={<IconFolder size={16} aria-hidden />}
            >
              Open the files
            </LinkButton>
            <Anchor
              href={`${website.has_certificate ? 'https' : 'http'}://${website.domain}/`}
              target="_blank"
              rel="noreferrer"
              size="sm"
            >
              Visit <IconExternalLink size={14} aria-hidden className="in-text" />
            </Anchor>
          </Group>
        </Card>
        <NextSteps website={website} />
        <DnsRecords website={website} />
        <Aliases website={website} />
      </SimpleGrid>
      <WebsiteLogs id={website.id} />
    </Page>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="baseline" py={4}>
      <Text size="sm" c="dimmed" w={72} flex="none">
        {name}
      </Text>
      <Text size="sm" component="div" className="anywhere">
        {children}
      </Text>
    </Group>
  )
}
