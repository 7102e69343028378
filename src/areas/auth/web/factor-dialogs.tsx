import { Modal, Text } from '@mantine/core'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { BothFactors } from '../model.ts'
import { auth } from './api.ts'

const text = {
  password: { label: 'Current password', hint: '' },
  otp: { label: 'Code', hint: 'Of your authenticator app, or a recovery code' },
}
const autoComplete = { password: 'current-password', otp: 'one-time-code' }

/** Turns two-factor authentication off; asks for both factors. */
export function TurnOffFactor({ onClose }: { readonly onClose: () => void }) {
  const turnOff = async (body: BothFactors) => {
    await run(auth.disableOtp({ body }))
    onClose()
    notify('Two-factor authentication is off.')
    await readAgain('otp')
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Turn off two-factor authentication"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text size="sm" mb="md">
        Your password alone then signs you in. The recovery codes end.
      </Text>
      <SchemaForm
        schema={BothFactors}
        text={text}
        autoComplete={autoComplete}
        submitLabel="Turn off"
        reviewOf={(body) => auth.disableOtp({ body })}
        onSubmit={turnOff}
        onCancel={onClose}
      />
    </Modal>
  )
}

interface RenewRecoveryCodesProps {
  readonly onClose: () => void
  /** Gets the new codes. */
  readonly onDone: (codes: readonly string[]) => void
}

/** Replaces the recovery codes; asks for both factors. */
export function RenewRecoveryCodes({ onClose, onDone }: RenewRecoveryCodesProps) {
  const renew = async (body: BothFactors) => {
    const { recovery_codes } = await run(auth.renewRecoveryCodes({ body }))
    onDone(recovery_codes)
    await readAgain('otp')
  }
  return (
    <Modal opened onClose={onClose} title="New recovery codes" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        The codes that you have now end.
      </Text>
      <SchemaForm
        schema={BothFactors}
        text={text}
        autoComplete={autoComplete}
        submitLabel="Create the codes"
        reviewOf={(body) => auth.renewRecoveryCodes({ body })}
        onSubmit={renew}
        onCancel={onClose}
      />
    </Modal>
  )
}
