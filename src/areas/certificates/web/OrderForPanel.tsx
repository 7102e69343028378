import { Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { hostnameFromTyped } from '../../../core/typed-hostname.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { PanelCertificateStatus } from '../model.ts'
import { certificates } from './api.ts'
import { useOrderForPanel } from './queries.ts'

/** The form that orders a certificate for the name of the panel. */
export function OrderForPanel({ status }: { readonly status: PanelCertificateStatus }) {
  const [typed, setTyped] = useState(status.name ?? status.suggested_name ?? '')
  const order = useOrderForPanel()
  const body = { name: hostnameFromTyped(typed) }
  const send = (event: FormEvent) => {
    event.preventDefault()
    order.mutate(body)
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {order.error && <Failure error={order.error} />}
        <TextInput
          label="Host name of the panel"
          description="Such as panel.example.com. It must lead to this host, and port 80 must be reachable."
          required
          maxLength={253}
          spellCheck={false}
          autoCapitalize="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <FormButtons
          submitLabel={status.is_renewed ? 'Order again' : 'Order a certificate'}
          isSending={order.isPending}
          reviewed={{ call: certificates.orderPanelCertificate({ body }) }}
        />
      </Stack>
      {order.data && (
        <JobDialog
          title="Order a certificate for the panel"
          jobId={order.data.job_id}
          onClose={order.reset}
          onEnd={() => void readAgain('panel-certificate', 'jobs')}
        />
      )}
    </form>
  )
}
