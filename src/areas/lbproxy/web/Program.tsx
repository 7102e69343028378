import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { lbproxy } from './api.ts'
import { carryOut, type Status } from './queries.ts'

/** The state of HAProxy in one line. */
export function ProgramState({ status }: { readonly status: Status }) {
  const { installed, running, version, started_at, processes, failed_reloads, reason } = status
  return (
    <Group gap="4px 12px" wrap="wrap" role="status" aria-label="State of HAProxy">
      <StateBadge state={installed ? (running ? 'active' : 'stopped') : 'missing'} />
      {version && <span>HAProxy {version}</span>}
      {running && started_at && (
        <span>
          loaded <Moment time={started_at} />
        </span>
      )}
      {processes.length > 1 && <span>{processes.length} processes</span>}
      {failed_reloads > 0 && (
        <Text span size="sm" c="var(--mantine-color-error)">
          {failed_reloads} {failed_reloads === 1 ? 'reload' : 'reloads'} failed
        </Text>
      )}
      {installed && reason && <span>{reason}</span>}
    </Group>
  )
}

const said = { start: 'HAProxy is running.', reload: 'HAProxy has loaded its configuration.' } as const

/** The actions on the program: start, stop, reload, uninstall. */
export function ProgramActions({ status: { running } }: { readonly status: Status }) {
  const [asking, setAsking] = useState<'stop' | 'uninstall'>()
  const [jobId, setJobId] = useState<number>()
  const act = useMutation({
    mutationFn: (verb: 'start' | 'reload') => carryOut(lbproxy[verb]()),
    onSuccess: (_reply, verb) => notify(said[verb]),
    onError: (error) => notify(textOf(error), true),
  })
  const close = () => setAsking(undefined)
  return (
    <>
      {running ? (
        <>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={act.isPending}
            onClick={() => act.mutate('reload')}
          >
            Reload
          </Button>
          <CutOffButton
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={() => setAsking('stop')}
          >
            Stop
          </CutOffButton>
        </>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={act.isPending}
          onClick={() => act.mutate('start')}
        >
          Start
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More for HAProxy">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setAsking('uninstall')}
          >
            Uninstall HAProxy
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking === 'stop' && <StopDialog onClose={close} />}
      {asking === 'uninstall' && <UninstallDialog onClose={close} onStarted={setJobId} />}
      {jobId !== undefined && (
        <JobDialog
          title="Uninstall HAProxy"
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readAgain('lbproxy', 'areas', 'programs', 'jobs')}
        />
      )}
    </>
  )
}

function StopDialog({ onClose }: { readonly onClose: () => void }) {
  const done = () => {
    onClose()
    notify('HAProxy was stopped.')
    return readAgain('lbproxy')
  }
  return (
    <ChangeDialog
      title="Stop the load balancer"
      confirmLabel="Stop it"
      isCutOff
      call={lbproxy.stop()}
      onClose={onClose}
      onDone={done}
    >
      <Text size="sm">Visitors get no response until it is started again.</Text>
    </ChangeDialog>
  )
}

function UninstallDialog({
  onClose,
  onStarted,
}: {
  readonly onClose: () => void
  readonly onStarted: (jobId: number) => void
}) {
  const done = ({ job_id }: { job_id: number }) => {
    onClose()
    onStarted(job_id)
  }
  return (
    <ChangeDialog
      title="Uninstall HAProxy"
      confirmLabel="Uninstall it"
      call={lbproxy.uninstall()}
      onClose={onClose}
      onDone={done}
    >
      <Text size="sm">Its configuration, certificates and backups stay on this host.</Text>
    </ChangeDialog>
  )
}
