import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { request } from '../../../web/client.ts'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { textOf } from '../../../web/wire.ts'
import { activity } from './api.ts'
import { type LastVerification, useChain } from './queries.ts'

/** The last check of the chain, and what proves the log to somebody without this panel. */
export function ChainCard() {
  const chain = useChain()
  if (chain.error) return <Failure error={chain.error} onRetry={() => void chain.refetch()} />
  if (!chain.data) return <Loading rows={2} />
  return (
    <SectionCard title="Proof">
      <LastCheck found={chain.data.last_verification} />
      <Text size="sm">
        An export is checked on any machine by <code>hostreeve verify FILE --key KEY</code>, with this public
        key:
      </Text>
      <Copyable value={chain.data.public_key} label="Public key" />
      <ExportButton />
    </SectionCard>
  )
}

function LastCheck({ found }: { readonly found: LastVerification }) {
  if (found === null)
    return (
      <Text size="sm" c="dimmed">
        The chain was not verified yet; it is each night.
      </Text>
    )
  return (
    <Group gap="xs">
      <StateBadge state={found.ok ? 'ok' : 'failed'} />
      <Text size="sm">
        Last verified <Moment time={found.verified_at} />:{' '}
        {found.ok
          ? `${found.checked ?? 0} entries`
          : `entry ${found.broken_at ?? '?'}: ${found.reason ?? ''}`}
      </Text>
    </Group>
  )
}

function ExportButton() {
  const [isRunning, setRunning] = useState(false)
  const start = async () => {
    setRunning(true)
    await download()
      .catch((error: unknown) => notify(textOf(error), true))
      .finally(() => setRunning(false))
  }
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={isRunning}
        onClick={() => void start()}
      >
        Export with proof
      </Button>
    </Group>
  )
}

const addressMs = 60_000

/** Hands the export to the browser as a file. */
async function download(): Promise<void> {
  const answer = await request(activity.exportChain())
  const url = URL.createObjectURL(new Blob([await answer.blob()], { type: 'application/octet-stream' }))
  Object.assign(document.createElement('a'), { href: url, download: 'activity-chain.jsonl' }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
