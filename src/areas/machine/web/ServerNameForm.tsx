import { Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { hostnameFromTyped } from '../../../core/typed-hostname.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import type { ServerName } from '../model.ts'
import { machine } from './api.ts'
import { useNameServer } from './queries.ts'

/** The name of the host in the kernel, with which it starts again. */
export function ServerNameForm({ current }: { readonly current: ServerName }) {
  const [name, setName] = useState(current.server_name)
  const rename = useNameServer()
  const body = { server_name: hostnameFromTyped(name) }
  const save = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(body, { onSuccess: () => notify(`The host is named ${body.server_name}.`) })
  }
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        {rename.error && <Failure error={rename.error} />}
        <TextInput
          label="Host name"
          description="Such as web1.example.com. Mail servers and certificates use it."
          required
          spellCheck={false}
          autoCapitalize="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {current.stored !== current.server_name && (
          <Text size="sm" c="dimmed">
            {current.stored === ''
              ? '/etc/hostname does not exist: the name is lost when the host starts again.'
              : `/etc/hostname has ${current.stored}: the host has that name when it starts again.`}
          </Text>
        )}
        <FormButtons
          submitLabel="Save the name"
          isSending={rename.isPending}
          reviewed={{ call: machine.nameServer({ body }) }}
        />
      </Stack>
    </form>
  )
}
