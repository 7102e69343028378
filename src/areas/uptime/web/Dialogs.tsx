import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { type Monitor, MonitorDraft, MonitorEdit } from '../model.ts'
import { uptime } from './api.ts'

const text = {
  name: { label: 'Name' },
  type: { label: 'Type', hint: 'http, tcp, dns or ping' },
  target: { label: 'Target' },
  http_method: { label: 'HTTP method' },
  http_override_ip: { label: 'Address override' },
  http_keyword: { label: 'Keyword' },
  http_skip_ssl: { label: 'Skip the certificate check' },
  check_interval: { label: 'Interval (seconds)' },
  timeout: { label: 'Timeout (seconds)' },
  alert_email: { label: 'Alert by e-mail' },
  alert_webhook: { label: 'Alert by webhook' },
  webhook_skip_ssl: { label: 'Skip the certificate check of the webhook' },
}
const upFront = ['name', 'type', 'target', 'check_interval', 'alert_email']
/** What this version cannot do yet. */
const except = [
  'alert_ai',
  'dns_failover',
  'dns_zone',
  'dns_record_name',
  'dns_record_type',
  'dns_up_ip',
  'dns_down_ip',
]

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
    except={except}
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
    except={except}
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
