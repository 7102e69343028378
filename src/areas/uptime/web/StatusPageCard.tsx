import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { urlOf } from '../../../web/call.ts'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { readAgain } from '../../../web/queries.ts'
import { StatusPageDraft } from '../public/model.ts'
import { uptime } from './api.ts'
import { useStatusPage } from './queries.ts'

const text = {
  is_enabled: {
    label: 'Anybody may read the status',
    hint: 'Names and availability, without targets and errors',
  },
  title: { label: 'Title' },
}

/** Whether the status of the monitors is public, and where. */
export function StatusPageCard() {
  const { data } = useStatusPage()
  const [isAsking, ask] = useState(false)
  if (!data) return null
  const close = () => ask(false)
  return (
    <SectionCard title="Public status">
      <Text size="sm">
        {data.is_enabled
          ? 'Anybody may read the names of the monitors, whether they are up, and their availability by day, as JSON:'
          : 'Only superusers see the monitors.'}
      </Text>
      {data.is_enabled && (
        <Copyable
          label="Address of the public status"
          value={`${location.origin}${urlOf(uptime.readPublicStatus())}`}
        />
      )}
      <Group>
        <Button variant="default" onClick={() => ask(true)}>
          Change the public status
        </Button>
      </Group>
      {isAsking && (
        <PlannedForm
          title="Change the public status"
          confirmLabel="Save"
          schema={StatusPageDraft}
          text={text}
          except={['monitor_ids']}
          given={data}
          callOf={(body: StatusPageDraft) =>
            uptime.setStatusPage({ body: { ...body, monitor_ids: data.monitor_ids } })
          }
          onClose={close}
          onDone={async () => {
            close()
            notify('The public status was changed.')
            await readAgain('uptime')
          }}
        />
      )}
    </SectionCard>
  )
}
