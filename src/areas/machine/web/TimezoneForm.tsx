import { NativeSelect, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import type { ServerTimezone } from '../model.ts'
import { machine } from './api.ts'
import { useSetTimezone } from './queries.ts'

/** The time zone of the host, which schedules and logs use. */
export function TimezoneForm({ current }: { readonly current: ServerTimezone }) {
  const [zone, setZone] = useState(current.timezone)
  const set = useSetTimezone()
  const body = { timezone: zone }
  const save = (event: FormEvent) => {
    event.preventDefault()
    set.mutate(body, { onSuccess: () => notify(`The time zone is ${zone}.`) })
  }
  const zones = [...new Set([current.timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        {set.error && <Failure error={set.error} />}
        <NativeSelect
          label="Time zone of the host"
          description={`Schedules and logs of the host use it. Now ${current.timezone} (UTC${current.offset}). Your account shows times in its own.`}
          data={zones}
          value={zone}
          onChange={(event) => setZone(event.currentTarget.value)}
        />
        <FormButtons
          submitLabel="Save the time zone"
          isSending={set.isPending}
          reviewed={{ call: machine.setServerTimezone({ body }) }}
        />
      </Stack>
    </form>
  )
}
