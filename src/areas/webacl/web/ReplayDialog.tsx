import { Modal, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import Type, { type Static } from 'typebox'
import { orderJob } from '../../../web/client.ts'
import { JobProgress } from '../../../web/kit/JobProgress.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Ruleset } from '../model.ts'
import { type Replay, type ReplayExample, replayLimits } from '../replay/model.ts'
import { webacl } from './api.ts'
import { useReplay } from './queries.ts'
import { actionLabels } from './ruleset-form.ts'

interface ReplayDialogProps {
  readonly website: number
  readonly ruleset: Ruleset
  readonly onClose: () => void
}

const ReplayForm = Type.Object({
  lines: Type.Integer({
    minimum: 1,
    maximum: replayLimits.lines,
    default: 100_000,
    expects: 'a number of lines from 1 to 1000000',
  }),
})

/** Runs recent access logs through a ruleset, and shows what it would have done; the replay goes on when it is closed. */
export function ReplayDialog({ website, ruleset, onClose }: ReplayDialogProps) {
  const [job, setJob] = useState<number>()
  const [state, setState] = useState<string>()
  const start = async ({ lines }: Static<typeof ReplayForm>) => {
    const call = webacl.replayRuleset({ params: { id: ruleset.id }, body: { website_id: website, lines } })
    setJob(await orderJob(call))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Replay logs through ${ruleset.name}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {job === undefined ? (
        <Stack gap="sm">
          <Text size="sm">
            Recent requests are evaluated by the ruleset as it is now, applied or not. Nothing is blocked.
          </Text>
          <SchemaForm
            schema={ReplayForm}
            text={{
              lines: { label: 'Lines', hint: 'From the end of the access logs, of all websites together' },
            }}
            submitLabel="Replay"
            onSubmit={start}
            onCancel={onClose}
          />
        </Stack>
      ) : (
        <Stack gap="md">
          <JobProgress jobId={job} onEnd={setState} />
          {state === 'succeeded' && <ReplayOfJob jobId={job} />}
        </Stack>
      )}
    </Modal>
  )
}

function ReplayOfJob({ jobId }: { readonly jobId: number }) {
  const { data, error, refetch } = useReplay(jobId)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  return data ? <ReplayResult replay={data} /> : <Loading rows={1} />
}

const cuts = {
  lines: 'Older lines were left out.',
  bytes: 'Older lines were left out: the logs are large.',
  time: 'Further lines were left out: the time was up.',
}

/** What a ruleset would have done with logged requests. */
function ReplayResult({ replay }: { readonly replay: Replay }) {
  const { lines, matched, undecidable, unreadable, decided_earlier: earlier, from, to, cut_by: cut } = replay
  const others = [
    [undecidable, 'cannot be decided from the log'],
    [earlier, 'are decided by an earlier ruleset'],
    [unreadable, 'lines are no requests that rules see'],
  ] as const
  return (
    <Stack gap="md" role="status">
      <div>
        <Text fw={600}>
          {matched} of {lines} requests match: {actionLabels[replay.action]}
        </Text>
        {from !== null && to !== null && (
          <Text size="sm" c="dimmed">
            {from.slice(0, 16).replace('T', ' ')} to {to.slice(0, 16).replace('T', ' ')} UTC, websites:{' '}
            {replay.websites}
          </Text>
        )}
        {others.map(([count, text]) =>
          count === 0 ? null : (
            <Text size="sm" key={text}>
              {count} {text}
            </Text>
          ),
        )}
        {cut !== null && <Text size="sm">{cuts[cut]}</Text>}
      </div>
      {replay.rules.map(({ rule_id, name, matched: count, examples }) => (
        <Bar key={rule_id} label={name} count={count} of={lines} color="red" examples={examples} />
      ))}
      {replay.missing.map(({ field, lines: count, examples }) => (
        <Bar
          key={field}
          label={`Undecidable without ${field}`}
          count={count}
          of={lines}
          color="gray"
          examples={examples}
        />
      ))}
    </Stack>
  )
}

interface BarProps {
  readonly label: string
  readonly count: number
  readonly of: number
  readonly color: string
  readonly examples: readonly ReplayExample[]
}

/** One rule in the chart, with some of its requests. */
const Bar = ({ label, count, of, color, examples }: BarProps) => (
  <div>
    <Text size="sm" fw={600} className="anywhere">
      {label}: {count}
    </Text>
    <Progress.Root size="md">
      <Progress.Section
        value={of === 0 ? 0 : (count * 100) / of}
        color={color}
        aria-label={`Share of the requests: ${label}`}
      />
    </Progress.Root>
    {examples.map(({ domain, at, address, method, path, status, user_agent: agent }, index) => (
      <Text size="xs" ff="monospace" c="dimmed" key={index} className="anywhere" mt={4}>
        {at?.slice(0, 19).replace('T', ' ')} {domain} {address} {method} {path} {status} {agent}
      </Text>
    ))}
  </div>
)
