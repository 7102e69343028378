import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { ruledTypes } from '../rules/model.ts'
import { useSimulation, useZones } from './queries.ts'

/** Asks PowerDNS what it answers to a client with an address. */
export function SimulatorCard() {
  const { data: zones = [] } = useZones(true)
  const [chosen, setZone] = useState<string>()
  const [name, setName] = useState('www')
  const [type, setType] = useState<(typeof ruledTypes)[number]>('A')
  const [address, setAddress] = useState('')
  const { mutate, data: answer, error, isPending } = useSimulation()
  const zone = chosen ?? zones[0]?.name ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ zone, record_name: name.trim(), record_type: type, address: address.trim() })
  }
  return (
    <SectionCard title="What a client gets">
      <Group component="form" align="flex-end" onSubmit={submit}>
        <NativeSelect
          label="Zone"
          data={zones.map((each) => each.name)}
          value={zone}
          onChange={({ currentTarget: { value } }) => setZone(value)}
        />
        <TextInput
          label="Name"
          required
          maxLength={1024}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <NativeSelect
          label="Type"
          data={[...ruledTypes]}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            setType(ruledTypes.find((each) => each === value) ?? 'A')
          }
        />
        <TextInput
          label="Address of the client"
          required
          maxLength={45}
          placeholder="203.0.113.9"
          value={address}
          onChange={({ currentTarget: { value } }) => setAddress(value)}
        />
        <Button type="submit" loading={isPending} disabled={zone === ''}>
          Ask
        </Button>
      </Group>
      {error && <Failure error={error} />}
      {answer && (
        <Text size="sm" role="status">
          {answer.answers.length > 0
            ? `${answer.answers.join(', ')}, for ${answer.ttl ?? 0} seconds`
            : `No addresses (${answer.code})`}
        </Text>
      )}
    </SectionCard>
  )
}
