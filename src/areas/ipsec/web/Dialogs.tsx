import { Text } from '@mantine/core'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type NewTunnel, type Tunnel, TunnelDraft, TunnelEdit } from '../model.ts'
import { ipsec } from './api.ts'
import { done, useLocalAddress } from './queries.ts'

const text = {
  name: { label: 'Name' },
  remote_ip: { label: 'Remote gateway' },
  local_ip: { label: 'Local address' },
  shared_secret: { label: 'Shared secret' },
  local_subnet: { label: 'Local network' },
  remote_subnet: { label: 'Remote network' },
  remote_id: { label: 'Remote identity' },
  ike_version: { label: 'IKE version' },
  ike_lifetime: { label: 'IKE lifetime' },
  tunnel_lifetime: { label: 'Tunnel lifetime' },
  key_lifetime: { label: 'Key lifetime' },
  dpd_delay: { label: 'DPD delay' },
  dpd_timeout: { label: 'DPD timeout' },
  phase1_proposals: { label: 'Phase 1 proposals' },
  phase2_proposals: { label: 'Phase 2 proposals' },
  'phase1_proposals.enc': { label: 'Cipher' },
  'phase1_proposals.auth': { label: 'Hash' },
  'phase2_proposals.enc': { label: 'Cipher' },
  'phase2_proposals.auth': { label: 'Hash' },
  dh_group: { label: 'DH group' },
  replay_detection: { label: 'Replay detection' },
  pfs_enabled: { label: 'Perfect forward secrecy' },
}
const upFront = ['name', 'remote_ip', 'local_ip', 'shared_secret', 'local_subnet', 'remote_subnet']

interface DialogProps {
  readonly tunnel: Tunnel
  readonly onClose: () => void
}

interface CreateDialogProps {
  readonly onClose: () => void
  readonly onDone: (tunnel: NewTunnel) => unknown
}

/** Asks for a new tunnel and adds it. */
export function CreateDialog({ onClose, onDone }: CreateDialogProps) {
  const { data } = useLocalAddress()
  const hint = data && `Leave blank for the address that faces the other gateway, such as ${data.local_ip}`
  return (
    <PlannedForm
      title="Add a tunnel"
      confirmLabel="Add"
      schema={TunnelDraft}
      text={hint === undefined ? text : { ...text, local_ip: { ...text.local_ip, hint } }}
      upFront={upFront}
      callOf={(body: TunnelDraft) => ipsec.createTunnel({ body })}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** Changes a tunnel. */
export const EditDialog = ({ tunnel, onClose }: DialogProps) => (
  <PlannedForm
    title={`Edit ${tunnel.name}`}
    confirmLabel="Save"
    schema={TunnelEdit}
    text={text}
    upFront={upFront}
    given={tunnel}
    sendsOnlyChanges
    callOf={(body: TunnelEdit) => ipsec.editTunnel({ params: { id: tunnel.id }, body })}
    onClose={onClose}
    onDone={() => done(onClose, `${tunnel.name} was changed.`)}
  />
)

/** Enables or disables a tunnel, after showing what that does. */
export const ToggleDialog = ({ tunnel: { id, name, enabled }, onClose }: DialogProps) => (
  <ChangeDialog
    title={`${enabled ? 'Disable' : 'Enable'} ${name}`}
    confirmLabel={enabled ? 'Disable' : 'Enable'}
    isCutOff={enabled}
    call={ipsec.toggleTunnel({ params: { id } })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was ${enabled ? 'disabled' : 'enabled'}.`)}
  >
    {enabled && <Text size="sm">The networks do not reach each other until it is enabled again.</Text>}
  </ChangeDialog>
)

/** Removes a tunnel, after showing what that does. */
export const DeleteDialog = ({ tunnel: { id, name }, onClose }: DialogProps) => (
  <ChangeDialog
    title={`Remove ${name}`}
    confirmLabel="Remove"
    call={ipsec.deleteTunnel({ params: { id } })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was removed.`)}
  />
)
