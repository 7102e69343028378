import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { CaptureCard } from './CaptureCard.tsx'
import { ClearHistory, HistoryInput } from './HistoryInput.tsx'
import { type Probe, probes, useProbing } from './probing.ts'
import { usePortCheck, useRemember } from './queries.ts'

/** Ping, traceroute, httping, port checks and packet captures. */
export const NettoolsPage = () => (
  <Page title="Network tools" about="What this host reaches, and what arrives at it.">
    <Stack gap="md">
      <ProbeCard />
      <PortCard />
      <CaptureCard />
    </Stack>
  </Page>
)

const states = { running: 'Running …', ended: 'Ended', stopped: 'Stopped', failed: 'Failed' } as const

function ProbeCard() {
  const [probe, setProbe] = useState<Probe>('ping')
  const [host, setHost] = useState('')
  const { probing, start, stop } = useProbing()
  const remembering = useRemember()
  const field = probe === 'traceroute' ? 'trace' : 'ping'
  const isRunning = probing.state === 'running'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start(probe, host.trim())
    remembering.mutate({ field, value: host.trim() })
  }
  return (
    <SectionCard title="Reach a host">
      <Group component="form" align="flex-end" onSubmit={submit}>
        <NativeSelect
          label="Tool"
          data={[...probes]}
          value={probe}
          onChange={({ currentTarget: { value } }) =>
            setProbe(probes.find((each) => each === value) ?? 'ping')
          }
        />
        <HistoryInput
          field={field}
          label="Host"
          required
          maxLength={probe === 'httping' ? 1000 : 253}
          value={host}
          onText={setHost}
        />
        <Button type="submit" disabled={isRunning}>
          Run
        </Button>
        {isRunning && <CutOffButton onClick={stop}>Stop</CutOffButton>}
      </Group>
      <ClearHistory field={field} label="Host" />
      {probing.error !== undefined && <Failure error={probing.error} />}
      {probing.state !== 'none' && (
        <>
          <Text size="sm" c="dimmed" role="status">
            {states[probing.state]}
          </Text>
          {probing.lines.length > 0 && (
            <LogLines lines={probing.lines} label="Output" isFollowing={isRunning} />
          )}
        </>
      )}
    </SectionCard>
  )
}

function PortCard() {
  const [host, setHost] = useState('')
  const [port, setPort] = useState('443')
  const checking = usePortCheck()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    checking.mutate({ host: host.trim(), port: Number(port) })
  }
  return (
    <SectionCard title="Check a port">
      <Group component="form" align="flex-end" onSubmit={submit}>
        <TextInput
          label="Host name"
          required
          maxLength={253}
          value={host}
          onChange={({ currentTarget: { value } }) => setHost(value)}
        />
        <TextInput
          label="Port"
          required
          inputMode="numeric"
          maxLength={5}
          value={port}
          onChange={({ currentTarget: { value } }) => setPort(value)}
        />
        <Button type="submit" loading={checking.isPending}>
          Check
        </Button>
      </Group>
      {checking.error && <Failure error={checking.error} />}
      {checking.data && <Text role="status">{checking.data.message}</Text>}
    </SectionCard>
  )
}
