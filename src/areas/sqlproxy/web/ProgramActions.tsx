import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { AdminPassword, type SqlproxyStatus } from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'

const verbs = {
  start: { label: 'Start', call: sqlproxy.startSqlproxy, done: 'The SQL proxy is running.' },
  restart: { label: 'Restart', call: sqlproxy.restartSqlproxy, done: 'The SQL proxy was restarted.' },
  stop: { label: 'Stop', call: sqlproxy.stopSqlproxy, done: 'The SQL proxy was stopped.' },
  remove: { label: 'Remove', call: sqlproxy.removeSqlproxy, done: 'ProxySQL was removed.' },
} as const
type Verb = keyof typeof verbs

/** The life cycle of the proxy, and the password of its remote account. */
export function ProgramActions({ status: { running } }: { readonly status: SqlproxyStatus }) {
  const [asking, ask] = useState<Verb | 'password'>()
  const close = () => ask(undefined)
  const offered: readonly Verb[] = running ? ['restart', 'stop', 'remove'] : ['remove']
  return (
    <>
      {!running && <Button onClick={() => ask('start')}>Start</Button>}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {running && <Menu.Item onClick={() => ask('password')}>Set the remote password</Menu.Item>}
          {offered.map((verb) => (
            <Menu.Item key={verb} onClick={() => ask(verb)}>
              {verbs[verb].label} ProxySQL
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asking === 'password' && (
        <PlannedForm
          title="Set the password of remote-admin"
          confirmLabel="Set"
          schema={AdminPassword}
          text={{ password: { label: 'Password', hint: '12 characters or more, without spaces, : and ;' } }}
          autoComplete={{ password: 'new-password' }}
          callOf={(body: AdminPassword) => sqlproxy.setAdminPassword({ body })}
          onClose={close}
          onDone={() => done(close, 'The password was set.')}
        />
      )}
      {asking !== undefined && asking !== 'password' && (
        <ChangeDialog
          title={`${verbs[asking].label} ProxySQL`}
          confirmLabel={verbs[asking].label}
          isCutOff={asking !== 'start'}
          call={verbs[asking].call()}
          onClose={close}
          onDone={() => done(close, verbs[asking].done)}
        />
      )}
    </>
  )
}
