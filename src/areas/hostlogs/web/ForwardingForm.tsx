import type { Call } from '../../../web/call.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type RemoteLogging, RemoteLoggingDraft } from '../model.ts'

interface ForwardingFormProps {
  readonly title: string
  readonly target: Pick<RemoteLogging, 'enabled' | 'server' | 'port' | 'protocol' | 'ca'>
  readonly callOf: (body: RemoteLoggingDraft) => Call
  readonly onClose: () => void
  readonly onDone: () => unknown
}

/** A server that lines are sent to, and the plan of sending them. */
export const ForwardingForm = ({ target, callOf, ...dialog }: ForwardingFormProps) => {
  const { enabled, server, port, protocol, ca } = target
  return (
    <PlannedForm
      {...dialog}
      confirmLabel="Save"
      schema={RemoteLoggingDraft}
      text={text}
      given={{ enabled, server, port, protocol, ca }}
      sendsOnlyChanges
      autoComplete={{ server: 'off' }}
      callOf={(body) => callOf({ enabled, ...body })}
    />
  )
}

const text = {
  enabled: { label: 'Send the lines', hint: '' },
  server: { label: 'Server', hint: 'Such as logs.example.com' },
  port: { label: 'Port', hint: '514, or 6514 with TLS' },
  protocol: { label: 'Protocol', hint: 'TLS encrypts the lines', labels: { tcp: 'TCP', tls: 'TLS' } },
  ca: {
    label: 'Certificate authority',
    hint: 'In PEM; empty for those that this host trusts',
    rows: 5,
    when: ({ protocol }: { readonly protocol?: unknown }) => protocol === 'tls',
  },
}
