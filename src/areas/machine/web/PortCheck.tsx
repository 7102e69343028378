import { Alert, Button, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { run } from '../../../web/client.ts'
import { Failure } from '../../../web/kit/states.tsx'
import { system } from '../../system/web/api.ts'
import type { PortAsked } from '../../system/model.ts'

/** Tells whether a port of some host answers this one. */
export function PortCheck() {
  const [asked, setAsked] = useState<PortAsked>({ host: '', port: 443, protocol: 'tcp' })
  const check = useMutation({ mutationFn: (body: PortAsked) => run(system.checkPort({ body })) })
  const edit = (part: Partial<PortAsked>) => {
    check.reset()
    setAsked({ ...asked, ...part })
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    check.mutate(asked)
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <TextInput
          label="Host"
          description="A name or an address. The connection is made from this host."
          required
          maxLength={253}
          spellCheck={false}
          value={asked.host}
          onChange={(event) => edit({ host: event.currentTarget.value.trim() })}
        />
        <Group grow align="flex-end">
          <NumberInput
            label="Port"
            required
            min={1}
            max={65_535}
            allowDecimal={false}
            value={asked.port}
            onChange={(port) => edit({ port: Number(port) })}
          />
          <NativeSelect
            label="Protocol"
            data={[
              { value: 'tcp', label: 'TCP' },
              { value: 'udp', label: 'UDP' },
            ]}
            value={asked.protocol}
            onChange={(event) => edit({ protocol: event.currentTarget.value === 'udp' ? 'udp' : 'tcp' })}
          />
          <Button type="submit" loading={check.isPending}>
            Check
          </Button>
        </Group>
        {check.error && <Failure error={check.error} />}
        {check.data && (
          <Alert color={check.data.open ? 'green' : 'orange'} role="status">
            {check.data.message}
            {check.data.time_ms !== '' && ` (${check.data.time_ms} ms)`}
          </Alert>
        )}
      </Stack>
    </form>
  )
}
