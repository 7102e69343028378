import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import {
  BackendDraft,
  BackendEdit,
  BackendLimit,
  BackendReset,
  type MonitorState,
  MonitorUser,
  type SqlproxyBackend,
} from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'
import { serverName } from './server-name.ts'

/** The dialog that is open, with the server that it is about. */
export type Asked =
  | { readonly verb: 'add' }
  | { readonly verb: 'monitor' }
  | { readonly verb: 'edit' | 'limit' | 'reset' | 'remove'; readonly server: SqlproxyBackend }

interface DialogsProps {
  readonly asked: Asked
  readonly monitorUser: string
  readonly onClose: () => void
}

const text = {
  hostname: { label: 'Host name or address' },
  port: { label: 'Port' },
  hostgroup_id: { label: 'Hostgroup', hint: '0 is for writes, 1 for reads' },
  weight: { label: 'Weight', hint: 'Share of the traffic of the hostgroup; 0 for no new connections' },
  max_connections: { label: 'Maximum connections' },
  comment: { label: 'Comment' },
}

const monitorMessages: Readonly<Record<MonitorState['monitor'], string>> = {
  created: 'The monitor account was created there.',
  kept: 'The monitor account is there already.',
  elsewhere: 'Create the monitor account on servers of other hosts by hand.',
}

/** Asks for a change of the servers and makes it. */
export function ServerDialogs({ asked, monitorUser, onClose }: DialogsProps) {
  if (asked.verb === 'add')
    return (
      <PlannedForm
        title="Add a server"
        confirmLabel="Add"
        schema={BackendDraft}
        text={text}
        callOf={(body: BackendDraft) => sqlproxy.addSqlBackend({ body })}
        onClose={onClose}
        onDone={({ monitor }: MonitorState) =>
          done(onClose, `The server was added. ${monitorMessages[monitor]}`)
        }
      />
    )
  if (asked.verb === 'monitor')
    return (
      <PlannedForm
        title="Set the monitor account"
        confirmLabel="Set"
        schema={MonitorUser}
        text={{ username: { label: 'Name' }, password: { label: 'Password' } }}
        given={{ username: monitorUser }}
        autoComplete={{ password: 'new-password' }}
        callOf={(body: MonitorUser) => sqlproxy.setMonitorUser({ body })}
        onClose={onClose}
        onDone={({ monitor }: MonitorState) =>
          done(onClose, `The monitor account was set. ${monitorMessages[monitor]}`)
        }
      />
    )
  return <ServerDialog verb={asked.verb} server={asked.server} onClose={onClose} />
}

interface ServerDialogProps {
  readonly verb: 'edit' | 'limit' | 'reset' | 'remove'
  readonly server: SqlproxyBackend
  readonly onClose: () => void
}

function ServerDialog({ verb, server, onClose }: ServerDialogProps) {
  const { hostname, port, hostgroup_id, weight, max_connections, comment } = server
  const key = { hostname, port }
  const name = serverName(server)
  const form = { text, except: ['hostname', 'port'], onClose }
  if (verb === 'edit')
    return (
      <PlannedForm
        {...form}
        title={`Edit ${name}`}
        confirmLabel="Save"
        schema={BackendEdit}
        given={{ hostgroup_id, weight, max_connections, comment }}
        callOf={(body: BackendEdit) => sqlproxy.updateSqlBackend({ body: { ...body, ...key } })}
        onDone={() => done(onClose, `${name} was changed.`)}
      />
    )
  if (verb === 'limit')
    return (
      <PlannedForm
        {...form}
        title={`Limit the connections to ${name}`}
        confirmLabel="Set"
        schema={BackendLimit}
        given={{ max_connections }}
        callOf={(body: BackendLimit) => sqlproxy.limitSqlBackend({ body: { ...body, ...key } })}
        onDone={() => done(onClose, `The connections to ${name} were limited.`)}
      />
    )
  if (verb === 'reset')
    return (
      <PlannedForm
        {...form}
        title={`Reset ${name}`}
        confirmLabel="Reset"
        schema={BackendReset}
        given={{ hostgroup_id, weight, max_connections }}
        callOf={(body: BackendReset) => sqlproxy.resetSqlBackend({ body: { ...body, ...key } })}
        onDone={() => done(onClose, `${name} was reset.`)}
      />
    )
  return (
    <ChangeDialog
      title={`Remove ${name}`}
      confirmLabel="Remove"
      isCutOff
      call={sqlproxy.removeSqlBackend({ body: key })}
      onClose={onClose}
      onDone={() => done(onClose, `${name} was removed.`)}
    />
  )
}
