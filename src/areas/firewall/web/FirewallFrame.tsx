import { Alert, Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Countdown } from '../../../web/kit/Countdown.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { FirewallStatus } from '../model.ts'
import { firewall } from './api.ts'
import { useStatus } from './queries.ts'

const tabs = [
  { to: '/firewall', label: 'Rules' },
  { to: '/firewall/bans', label: 'Bans' },
  { to: '/firewall/others', label: 'Other rules' },
]

interface FirewallFrameProps {
  /** The buttons of the page, after that which enables the firewall. */
  readonly actions?: ReactNode
  readonly children: (status: FirewallStatus) => ReactNode
}

/** The frame of every page of the firewall: its state, what waits for a confirmation, and the tabs. */
export function FirewallFrame({ actions, children }: FirewallFrameProps) {
  const { data: status, error, refetch } = useStatus()
  const pending = status?.pending
  return (
    <Page
      title="Firewall"
      about={status && <StateBadge state={status.enabled ? 'enabled' : 'disabled'} />}
      actions={
        status && (
          <Group gap="sm">
            {actions}
            <Switching status={status} />
          </Group>
        )
      }
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {pending && (
        <Countdown
          key={pending.change_id}
          summary={pending.summary}
          confirmBefore={pending.confirm_before}
          confirm={firewall.confirmChange({ params: { id: pending.change_id } })}
          confirmUnproven={firewall.confirmChange({
            params: { id: pending.change_id },
            query: { unproven: true },
          })}
          cancel={firewall.cancelChange({ params: { id: pending.change_id } })}
          onEnd={() => readAgain('firewall')}
        />
      )}
      {status && <Others status={status} />}
      {status?.enabled && !status.is_live && !pending && (
        <Alert color="red" title="The rules are not in force">
          Another program has removed them from the kernel. The panel loads them again; Activity shows what
          keeps it from that.
        </Alert>
      )}
      {status && (
        <>
          <PageTabs label="Pages of the firewall" tabs={tabs} />
          {children(status)}
        </>
      )}
    </Page>
  )
}

/** What another firewall means for this one. */
function Others({ status: { other, enabled, driver } }: { readonly status: FirewallStatus }) {
  if (driver !== 'nftables' && other === null)
    return (
      <Alert color="red" title={`${driver} is not active any more`}>
        Packets that no rule is about are admitted. Enable {driver} again, or disable this firewall and enable
        it without {driver}.
      </Alert>
    )
  if (driver === 'nftables' && enabled && other !== null)
    return (
      <Alert color="yellow" title={`${other} is active too`}>
        Packets have to pass both. Disable this firewall and enable it again to use it beside {other}.
      </Alert>
    )
  if (other === null) return null
  return (
    <Alert color="blue" title={`${other} is active`}>
      The rules of this firewall come before those of {other}, which decide on all other packets. Its rules
      are shown under Other rules.
      {other === 'firewalld' && !enabled && ' Enabling this firewall reloads firewalld.'}
    </Alert>
  )
}

function Switching({ status: { enabled, pending } }: { readonly status: FirewallStatus }) {
  const [isAsked, setAsked] = useState(false)
  const verb = enabled ? 'Disable' : 'Enable'
  const ask = () => setAsked(true)
  return (
    <>
      {enabled ? (
        <CutOffButton onClick={ask}>Disable</CutOffButton>
      ) : (
        <Button onClick={ask} disabled={pending !== null}>
          Enable
        </Button>
      )}
      {isAsked && (
        <ChangeDialog
          title={`${verb} the firewall`}
          confirmLabel={verb}
          call={enabled ? firewall.disableFirewall() : firewall.enableFirewall()}
          isCutOff
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false)
            if (enabled) notify('The firewall is disabled.')
            return readAgain('firewall')
          }}
        />
      )}
    </>
  )
}
