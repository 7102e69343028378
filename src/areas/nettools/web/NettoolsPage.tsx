import { Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { CaptureCard } from './CaptureCard.tsx'
import { probes, usePortCheck, useProbe } from './queries.ts'

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

function ProbeCard() {
  const [probe, setProbe] = useState<(typeof probes)[number]>('ping')
  const [host, setHost] = useState('')
  const probing = useProbe()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    probing.mutate({ probe, host: host.trim() })
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
        <TextInput
          label="Host"
          required
          maxLength={253}
          value={host}
          onChange={({ currentTarget: { value } }) => setHost(value)}
        />
        <Button type="submit" loading={probing.isPending}>
          Run
        </Button>
      </Group>
      {probing.error && <Failure error={probing.error} />}
      {probing.data !== undefined && (
        <Code block aria-label="Output" tabIndex={0}>
          {probing.data}
        </Code>
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
