import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { type Monitor, MonitorDraft, MonitorEdit, monitorTypes } from '../model.ts'
import { uptime } from './api.ts'

const text = {
  name: { label: 'Name' },
  type: { label: 'Type', first: 'http', choices: monitorTypes },
  target: { label: 'Target' },
  http_method: { label: 'HTTP method' },
  http_override_ip: { label: 'Address override' },
  http_keyword: { label: 'Keyword' },
  http_statuses: { label: 'Expected statuses', hint: 'Such as 200-299, 401; 200-399 if it is empty' },
  http_skip_ssl: { label: 'Skip the certificate check' },
  check_interval: { label: 'Interval (seconds)' },
  timeout: { label: 'Timeout (seconds)' },
  alert_email: { label: 'Alert by e-mail' },
  alert_webhook: { label: 'Alert by webhook' },
  webhook_skip_ssl: { label: 'Skip the certificate check of the webhook' },
  webhook_secret: {
    label: 'Key of the webhook',
    hint: 'whsec_ and 24 to 64 bytes in base64, to sign its calls',
  },
  alert_ai: { label: 'Tell the assistant', hint: 'It receives a message when the monitor goes down or up' },
  dns_failover: { label: 'Switch a DNS record', hint: 'While it is down, the record has another address' },
  dns_zone: { label: 'DNS zone', when: 'dns_failover' },
  dns_record_name: { label: 'Record', hint: '@ or empty for the zone itself', when: 'dns_failover' },
  dns_record_type: { label: 'Record type', hint: 'A or AAAA', when: 'dns_failover' },
  dns_up_ip: { label: 'Address while it is up', when: 'dns_failover' },
  dns_down_ip: { label: 'Address while it is down', when: 'dns_failover' },
}
const upFront = ['name', 'type', 'target', 'check_interval', 'alert_email']

interface DialogProps {
  readonly monitor: Monitor
  readonly onClose: () => void
}

/** Asks for a new monitor and adds it. */
export const CreateDialog = ({ onClose }: Pick<DialogProps, 'onClose'>) => (
  <PlannedForm
    title="Add a monitor"
    confirmLabel="Add"
    schema={MonitorDraft}
    text={text}
    upFront={upFront}
    callOf={(body: MonitorDraft) => uptime.createMonitor({ body })}
    onClose={onClose}
    onDone={() => done(onClose, 'The monitor was added.')}
  />
)

/** Changes a monitor. */
export const EditDialog = ({ monitor, onClose }: DialogProps) => (
  <PlannedForm
    title={`Edit ${monitor.name}`}
    confirmLabel="Save"
    schema={MonitorEdit}
    text={text}
    given={monitor}
    sendsOnlyChanges
    callOf={(body: MonitorEdit) => uptime.editMonitor({ params: { id: monitor.id }, body })}
    onClose={onClose}
    onDone={() => done(onClose, `${monitor.name} was changed.`)}
  />
)

/** Deletes a monitor, after showing what that does. */
export const DeleteDialog = ({ monitor: { id, name }, onClose }: DialogProps) => (
  <ChangeDialog
    title={`Delete ${name}`}
    confirmLabel="Delete"
    call={uptime.deleteMonitor({ params: { id } })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was deleted.`)}
  />
)

async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('uptime')
}
