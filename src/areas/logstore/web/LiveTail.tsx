import { Alert, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { useLiveLines } from '../../../web/kit/use-live-lines.ts'
import type { LogTailLine } from '../sent-model.ts'
import { logstore } from './api.ts'
import type { Asked } from './asked.ts'

const states = { reading: 'Reading …', live: 'Live', lost: 'Disconnected' } as const
type Followed = Pick<Asked, 'query' | 'severity'>

/** Shows the lines of a search as they arrive, while that is switched on. */
export function LiveTail({ asked: { query, severity } }: { readonly asked: Followed }) {
  const [isFollowing, follow] = useState(false)
  return (
    <SectionCard title="Live">
      <Switch
        label="Show lines of this search as they arrive"
        checked={isFollowing}
        onChange={({ currentTarget: { checked } }) => follow(checked)}
      />
      {isFollowing && <Arriving query={query} severity={severity} />}
    </SectionCard>
  )
}

function Arriving({ query, severity }: Followed) {
  const { lines, state, error } = useLiveLines(JSON.stringify([query, severity]), {
    callOf: () => logstore.followLogs({ query: { query, severity } }),
    textOfLine,
    resumes: true,
  })
  return (
    <>
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {states[state]}
        </Text>
      </Group>
      {error && <Alert color="orange">{error}</Alert>}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          No line has arrived yet.
        </Text>
      ) : (
        <LogLines lines={lines} label="Lines as they arrive" isFollowing />
      )}
    </>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' })

function textOfLine({ time, severity, host, program, message, left_out: leftOut }: LogTailLine): string {
  const at = time === undefined ? '' : clock.format(new Date(time))
  const grave = severity !== undefined && !['notice', 'info', 'debug'].includes(severity)
  const line = [at, host, program, grave ? `[${severity}]` : undefined, message]
    .filter((part) => part !== undefined && part !== '')
    .join('  ')
  return leftOut === undefined ? line : `(${leftOut.toLocaleString()} lines left out)  ${line}`
}
