import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import type { VpnStatus } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, longMs } from './queries.ts'

const switching = (action: 'start' | 'stop' | 'restart') => () =>
  vpnGateway.switchVpnServer({ params: { action } })

const verbs = {
  start: { label: 'Start', call: switching('start'), done: 'The control server is running.' },
  restart: { label: 'Restart', call: switching('restart'), done: 'The control server was restarted.' },
  stop: { label: 'Stop', call: switching('stop'), done: 'The control server was stopped.' },
  repair: {
    label: 'Install again',
    call: () => vpnGateway.installVpnGateway({ limitMs: longMs }),
    done: 'What was missing is installed.',
  },
  uninstall: {
    label: 'Uninstall',
    call: () => vpnGateway.uninstallVpnGateway({ limitMs: longMs }),
    done: 'The VPN was uninstalled.',
  },
} as const
type Verb = keyof typeof verbs

/** The life cycle of the control server. */
export function VpnActions({ status: { running } }: { readonly status: VpnStatus }) {
  const [asking, ask] = useState<Verb>()
  const close = () => ask(undefined)
  const offered: readonly Verb[] = running
    ? ['restart', 'stop', 'repair', 'uninstall']
    : ['repair', 'uninstall']
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
          {offered.map((verb) => (
            <Menu.Item key={verb} onClick={() => ask(verb)}>
              {verbs[verb].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asking !== undefined && (
        <ChangeDialog
          title={`${verbs[asking].label}: VPN`}
          confirmLabel={verbs[asking].label}
          isCutOff={asking === 'stop' || asking === 'uninstall'}
          call={verbs[asking].call()}
          onClose={close}
          onDone={() => done(close, verbs[asking].done)}
        />
      )}
    </>
  )
}
