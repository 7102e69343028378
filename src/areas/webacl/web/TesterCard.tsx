import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { useSimulation } from './queries.ts'

const methods = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE']

/** Asks nginx how it would decide a request by the rules as they are now. */
export function TesterCard({ website }: { readonly website: number }) {
  const [method, setMethod] = useState('GET')
  const [url, setUrl] = useState('/')
  const [address, setAddress] = useState('')
  const [agent, setAgent] = useState('')
  const { mutate, data, error, isPending } = useSimulation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const headers = agent === '' ? [] : [{ name: 'User-Agent', value: agent }]
    mutate({ website_id: website, method, url: url.trim(), address: address.trim(), headers })
  }
  return (
    <SectionCard title="Test a request">
      <Group component="form" align="flex-end" onSubmit={submit}>
        <NativeSelect
          label="Method"
          data={methods}
          value={method}
          onChange={({ currentTarget: { value } }) => setMethod(value)}
        />
        <TextInput
          label="Path and query"
          required
          maxLength={4000}
          value={url}
          onChange={({ currentTarget: { value } }) => setUrl(value)}
        />
        <TextInput
          label="Address of the visitor"
          required
          maxLength={45}
          placeholder="203.0.113.9"
          value={address}
          onChange={({ currentTarget: { value } }) => setAddress(value)}
        />
        <TextInput
          label="User agent"
          maxLength={2000}
          value={agent}
          onChange={({ currentTarget: { value } }) => setAgent(value)}
        />
        <Button type="submit" loading={isPending}>
          Test
        </Button>
      </Group>
      {error && <Failure error={error} />}
      {data && (
        <Stack gap={4} role="status">
          <Text size="sm" fw={600} className="anywhere">
            {data.reason}
          </Text>
          {data.rulesets.map(({ ruleset_id, name, matched }) => (
            <Text size="xs" c="dimmed" key={ruleset_id} className="anywhere">
              {name}: {matched ? 'matched' : 'did not match'}
            </Text>
          ))}
        </Stack>
      )}
    </SectionCard>
  )
}
