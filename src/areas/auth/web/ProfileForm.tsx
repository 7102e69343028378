import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import type { User } from '../../users/model.ts'
import { auth } from './api.ts'
import { useEditMe } from './queries.ts'

/** The name of the account, and the time zone in which the panel shows it times. */
export function ProfileForm({ me }: { readonly me: Pick<User, 'fullname' | 'time_zone'> }) {
  const [fullname, setFullname] = useState(me.fullname)
  const [zone, setZone] = useState(me.time_zone ?? '')
  const edit = useEditMe()
  const body = { fullname: fullname.trim(), time_zone: zone || null }
  const save = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate(body, { onSuccess: () => notify('The profile was saved.') })
  }
  return (
    <form onSubmit={save}>
      <Stack gap="md">
        {edit.error && <Failure error={edit.error} />}
        <TextInput
          label="Full name"
          autoComplete="name"
          required
          maxLength={200}
          value={fullname}
          onChange={(event) => setFullname(event.currentTarget.value)}
        />
        <NativeSelect
          label="Time zone"
          description="The panel shows all times in this zone."
          data={zoneChoices(me.time_zone)}
          value={zone}
          onChange={(event) => setZone(event.currentTarget.value)}
        />
        <FormButtons
          submitLabel="Save"
          isSending={edit.isPending}
          reviewed={{ call: auth.editMe({ body }) }}
        />
      </Stack>
    </form>
  )
}

/** The zones of the browser and UTC, which browsers leave out; a stored alias stays selectable. */
function zoneChoices(stored: string | null) {
  const names = new Set(['UTC', ...(stored === null ? [] : [stored]), ...Intl.supportedValuesOf('timeZone')])
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return [{ value: '', label: `As in this browser (${own})` }, ...names]
}
