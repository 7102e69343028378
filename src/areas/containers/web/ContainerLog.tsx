import { Alert, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { useLiveLines } from '../../../web/kit/use-live-lines.ts'
import type { ContainerLogLine } from '../model.ts'
import { containers } from './api.ts'

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' })
const states = { reading: 'Reading …', live: 'Live', lost: 'Disconnected' } as const

/** The log of a container while it is written, with search. */
export function ContainerLog({ id, name }: { readonly id: string; readonly name: string }) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, 300)
  const query = {
    tail: settled === '' ? 200 : 5000,
    follow: true,
    ...(settled !== '' && { search: settled }),
  }
  const { lines, state, error } = useLiveLines(JSON.stringify([id, query]), {
    callOf: () => containers.followContainerLog({ params: { id }, query }),
    textOfLine,
    resumes: true,
  })
  return (
    <>
      <Group justify="space-between" my="sm">
        <Text size="sm" c="dimmed" role="status">
          {states[state]}
        </Text>
        <TextInput
          type="search"
          aria-label="Search the log"
          placeholder="Search the log"
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </Group>
      {error && (
        <Alert color="orange" mb="sm">
          {error}
        </Alert>
      )}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {settled === '' ? 'The container has printed nothing yet.' : 'No line matches.'}
        </Text>
      ) : (
        <LogLines lines={lines} label={`Log of ${name}`} isFollowing />
      )}
    </>
  )
}

function textOfLine({ time, stream, message }: ContainerLogLine): string {
  const at = time === null ? '' : `${clock.format(new Date(time))}  `
  return `${at}${stream === 'stderr' ? '[stderr] ' : ''}${message}`
}
