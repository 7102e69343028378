import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { request } from '../../../web/client.ts'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { textOf } from '../../../web/wire.ts'
import { nettools } from './api.ts'
import { ClearHistory, HistoryInput } from './HistoryInput.tsx'
import { Packets } from './Packets.tsx'
import { useCapture, useInterfaces, useRemember, useStartCapture, useStopCapture } from './queries.ts'

/** Starts a capture and shows its packets as they arrive. */
export function CaptureCard() {
  const { data: interfaces = [] } = useInterfaces()
  const [chosen, choose] = useState<string>()
  const [filter, setFilter] = useState('')
  const starting = useStartCapture()
  const stopping = useStopCapture()
  const remembering = useRemember()
  const id = starting.data?.session_id
  const capture = useCapture(id)
  const isRunning = capture.data?.status === 'running'
  const name = chosen ?? interfaces[0] ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    starting.mutate({ interface: name, filter })
    if (filter.trim() !== '') remembering.mutate({ field: 'filter', value: filter.trim() })
  }
  const stop = () => {
    if (id !== undefined) stopping.mutate(id, { onSettled: () => void capture.refetch() })
  }
  return (
    <SectionCard title="Capture packets">
      <Text size="sm">At most 100 packets within 60 seconds.</Text>
      <Group component="form" align="flex-end" onSubmit={submit}>
        <NativeSelect
          label="Interface"
          data={interfaces}
          value={name}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
        <HistoryInput
          field="filter"
          label="Filter"
          placeholder="tcp port 443"
          maxLength={1000}
          value={filter}
          onText={setFilter}
        />
        <Button type="submit" loading={starting.isPending} disabled={isRunning}>
          Start
        </Button>
        {isRunning && <CutOffButton onClick={stop}>Stop</CutOffButton>}
      </Group>
      <ClearHistory field="filter" label="Filter" />
      {starting.error && <Failure error={starting.error} />}
      {capture.data && (
        <>
          <Group gap="xs">
            <StateBadge state={capture.data.status} />
            <Text size="sm">
              {capture.data.packet_count === 1 ? '1 packet' : `${capture.data.packet_count} packets`}
            </Text>
            {!isRunning && capture.data.packet_count > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  void download(capture.data.id).catch((error: unknown) => notify(textOf(error), true))
                }
              >
                Download for Wireshark
              </Button>
            )}
          </Group>
          {capture.data.error !== '' && <Text c="red">{capture.data.error}</Text>}
          <Packets packets={capture.data.packets} />
        </>
      )}
    </SectionCard>
  )
}

const addressMs = 60_000

/** Hands the packets of a capture to the browser as a file. */
async function download(id: string): Promise<void> {
  const answer = await request(nettools.downloadCapture({ params: { id } }))
  const url = URL.createObjectURL(new Blob([await answer.blob()], { type: 'application/octet-stream' }))
  Object.assign(document.createElement('a'), { href: url, download: 'capture.pcap' }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
