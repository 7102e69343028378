import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import type { LogHistogram } from '../model.ts'

const titles = [
  ['severity', 'Severity'],
  ['program', 'Program'],
  ['host', 'Host'],
  ['source_ip', 'Sender'],
  ['source', 'Source'],
] as const

interface FieldValuesProps {
  readonly fields: LogHistogram['fields']
  readonly onChoose: (field: string, value: string) => void
}

/** The most frequent values of each field; choosing one narrows the query. */
export function FieldValues({ fields, onChoose }: FieldValuesProps) {
  const present = titles.filter(([field]) => fields[field].length > 0)
  if (present.length === 0) return null
  return (
    <SectionCard title="Fields">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 5 }}>
        {present.map(([field, title]) => (
          <Stack key={field} gap={4} align="flex-start">
            <Text size="sm" fw={600}>
              {title}
            </Text>
            {fields[field].map(({ value, count }) => (
              <Button
                key={value}
                size="compact-xs"
                variant="default"
                maw="100%"
                aria-label={`Only ${title.toLowerCase()} ${value} · ${count.toLocaleString()}`}
                onClick={() => onChoose(field, value)}
              >
                {value} · {count.toLocaleString()}
              </Button>
            ))}
          </Stack>
        ))}
      </SimpleGrid>
    </SectionCard>
  )
}
