import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Service } from '../model.ts'
import { services } from './api.ts'

const verbs = {
  start: { label: 'Start', done: 'was started', call: services.startService },
  stop: { label: 'Stop', done: 'was stopped', call: services.stopService },
  restart: { label: 'Restart', done: 'was restarted', call: services.restartService },
  reload: { label: 'Reload', done: 'has loaded its configuration', call: services.reloadService },
  enable: { label: 'Enable', done: 'starts with the host', call: services.enableService },
  disable: { label: 'Disable', done: 'no longer starts with the host', call: services.disableService },
} as const
type ServiceVerb = keyof typeof verbs

/** The actions on a service; each shows its plan before it is done. */
export function ServiceActions({ service }: { readonly service: Service }) {
  const { name, active, enabled, is_panel: isPanel } = service
  const [asked, setAsked] = useState<ServiceVerb>()
  const close = () => setAsked(undefined)
  const button = (verb: ServiceVerb) => (
    <Button variant="default" onClick={() => setAsked(verb)}>
      {verbs[verb].label}
    </Button>
  )
  const cutOff = (verb: ServiceVerb) => (
    <CutOffButton onClick={() => setAsked(verb)}>{verbs[verb].label}</CutOffButton>
  )
  return (
    <>
      {!active && button('start')}
      {active && !isPanel && button('reload')}
      {active && !isPanel && button('restart')}
      {!enabled && button('enable')}
      {enabled && !isPanel && cutOff('disable')}
      {active && !isPanel && cutOff('stop')}
      {asked && (
        <ChangeDialog
          title={`${verbs[asked].label} ${name}`}
          confirmLabel={verbs[asked].label}
          isCutOff={asked === 'stop' || asked === 'disable' || asked === 'restart'}
          isRecoverable={asked === 'reload'}
          call={verbs[asked].call({ params: { name } })}
          onClose={close}
          onDone={() => {
            close()
            notify(`${name} ${verbs[asked].done}.`)
            return readAgain('services')
          }}
        />
      )}
    </>
  )
}
