import { Card, Stack, Text, Title } from '@mantine/core'
import { areaPages } from '../../../web/area-pages.ts'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import type { Website } from '../model.ts'

const steps = [...areaPages.values()]
  .flatMap(({ websiteSteps = [] }) => websiteSteps)
  .toSorted((a, b) => a.order - b.order)

/** The next steps that the areas offer for a website. */
export function NextSteps({ website }: { readonly website: Website }) {
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="sm">
        Next steps
      </Title>
      <Stack gap="sm" align="flex-start">
        {steps.map(({ title, detail, linkOf }) => (
          <div key={title}>
            <LinkButton {...linkOf(website)} variant="light">
              {title}
            </LinkButton>
            <Text size="sm" c="dimmed" mt={4}>
              {detail}
            </Text>
          </div>
        ))}
        <Text size="sm">Set the DNS records below, and add an alias for each other name of the site.</Text>
      </Stack>
    </Card>
  )
}
