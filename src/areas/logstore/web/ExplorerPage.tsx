import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatMoment } from '../../../web/kit/format.ts'
import { LineChart } from '../../../web/kit/LineChart.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import type { LogHistogram } from '../model.ts'
import { type Asked, firstAsked, narrowed, ranges, severityChoices } from './asked.ts'
import { Exports } from './Exports.tsx'
import { FieldValues } from './FieldValues.tsx'
import { Lines } from './Lines.tsx'
import { LiveTail } from './LiveTail.tsx'
import { LogsFrame } from './LogsFrame.tsx'
import { useGroups } from './queries.ts'
import { SavedSearches } from './SavedSearches.tsx'

/** Searches the lines, and shows them by time and by their fields. */
export function ExplorerPage() {
  const [asked, ask] = useState<Asked>(firstAsked)
  return (
    <LogsFrame>
      <Explorer asked={asked} onAsk={(change) => ask({ ...asked, from: 0, ...change })} />
    </LogsFrame>
  )
}

interface ExplorerProps {
  readonly asked: Asked
  readonly onAsk: (change: Partial<Asked>) => void
}

function Explorer({ asked, onAsk }: ExplorerProps) {
  const groups = useGroups(asked)
  const narrow = (field: string, value: string) => onAsk({ query: narrowed(asked.query, field, value) })
  return (
    <Stack gap="md">
      <SearchForm key={JSON.stringify(asked)} asked={asked} onAsk={onAsk} />
      {groups.error ? (
        <Failure error={groups.error} onRetry={() => void groups.refetch()} />
      ) : (
        <>
          {groups.data && <Histogram histogram={groups.data} />}
          <Lines asked={asked} onPage={(from) => onAsk({ from })} />
          {groups.data && <FieldValues fields={groups.data.fields} onChoose={narrow} />}
        </>
      )}
      <LiveTail asked={asked} />
      <SavedSearches asked={asked} onOpen={onAsk} />
      <Exports asked={asked} />
    </Stack>
  )
}

function SearchForm({ asked, onAsk }: ExplorerProps) {
  const [query, setQuery] = useState(asked.query)
  const isListed = ranges.some(({ value }) => value === asked.range)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk({ query: query.trim() })
  }
  return (
    <Group component="form" role="search" align="flex-end" gap="sm" onSubmit={submit}>
      <TextInput
        label="Query"
        placeholder="failed AND program:sshd"
        maxLength={2000}
        value={query}
        style={{ flexGrow: 1 }}
        onChange={({ currentTarget: { value } }) => setQuery(value)}
      />
      <NativeSelect
        label="Time"
        data={isListed ? ranges : [{ value: asked.range, label: asked.range }, ...ranges]}
        value={asked.range}
        onChange={({ currentTarget: { value } }) => onAsk({ range: value, query: query.trim() })}
      />
      <NativeSelect
        label="Severity"
        data={
          severityChoices.some(({ value }) => value === asked.severity)
            ? severityChoices
            : [{ value: asked.severity, label: asked.severity }, ...severityChoices]
        }
        value={asked.severity}
        onChange={({ currentTarget: { value } }) => onAsk({ severity: value, query: query.trim() })}
      />
      <Button type="submit">Search</Button>
    </Group>
  )
}

function Histogram({ histogram: { times, total, interval } }: { readonly histogram: LogHistogram }) {
  const points = times.map(({ time, count }) => ({ at: Date.parse(time), value: count }))
  const [first, last] = [points[0], points.at(-1)]
  return (
    <SectionCard title={`${total.toLocaleString()} lines`}>
      {first && last && first.at < last.at ? (
        <LineChart
          label="Lines by time"
          series={[{ label: `Lines per ${interval}`, points }]}
          from={first.at}
          to={last.at}
          gapMs={last.at - first.at}
          format={(value) => (value < 10 ? Number(value.toFixed(1)) : Math.round(value)).toLocaleString()}
          formatTime={(time) => formatMoment(new Date(time).toISOString())}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {total === 0 ? 'No line matches within this time.' : 'All lines arrived at nearly the same time.'}
        </Text>
      )}
    </SectionCard>
  )
}
