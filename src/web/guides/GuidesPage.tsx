import { Anchor, Card, SimpleGrid, Text } from '@mantine/core'
import { TextLink } from '../kit/LinkButton.tsx'
import { Page } from '../kit/Page.tsx'
import { Failure, Loading } from '../kit/states.tsx'
import { type BuiltGuide, plainText } from './guide.ts'
import { useGuides } from './queries.ts'

/** All guides, each with how it begins. */
export function GuidesPage() {
  const guides = useGuides()
  return (
    <Page
      title="Guides"
      about={
        <>
          Step by step, in the panel and through its API. All calls are in the{' '}
          <Anchor href="/api/docs" target="_blank" size="sm" underline="always">
            API reference
          </Anchor>
          .
        </>
      }
    >
      {guides.error && <Failure error={guides.error} onRetry={() => void guides.refetch()} />}
      {guides.isPending && <Loading />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {guides.data?.map((guide) => (
          <Card key={guide.name} withBorder radius="lg" p="lg">
            <TextLink to={`/guides/${guide.name}`}>{guide.title}</TextLink>
            <Text size="sm" c="dimmed" mt={4} lineClamp={3}>
              {beginningOf(guide)}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </Page>
  )
}

function beginningOf({ blocks }: BuiltGuide): string {
  const first = blocks.find(({ kind }) => kind === 'paragraph')
  return first?.kind === 'paragraph' ? plainText(first.content) : ''
}
