import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { run } from '../../../web/client.ts'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { OtpSetup } from '../model.ts'
import { auth } from './api.ts'
import { CodeField } from './CodeField.tsx'
import { QrCode } from './QrCode.tsx'

interface SetUpFactorProps {
  readonly onClose: () => void
  /** Gets the recovery codes. */
  readonly onDone: (codes: readonly string[]) => void
}

/** Sets up an authenticator app in two steps: the password, then a first code of the app. */
export function SetUpFactor({ onClose, onDone }: SetUpFactorProps) {
  const [setup, setSetup] = useState<OtpSetup>()
  return (
    <Modal
      opened
      onClose={onClose}
      title="Set up two-factor authentication"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {setup ? (
        <EnterFirstCode setup={setup} onClose={onClose} onDone={onDone} />
      ) : (
        <ProvePassword onClose={onClose} onDone={setSetup} />
      )}
    </Modal>
  )
}

interface ProvePasswordProps {
  readonly onClose: () => void
  readonly onDone: (setup: OtpSetup) => void
}

function ProvePassword({ onClose, onDone }: ProvePasswordProps) {
  const [password, setPassword] = useState('')
  const start = useMutation({
    mutationFn: () => run(auth.setUpOtp({ body: { password } })),
    onSuccess: onDone,
    gcTime: 0, // the reply contains the secret
  })
  return (
    <Step
      submitLabel="Next"
      isSending={start.isPending}
      error={start.error}
      onSubmit={start.mutate}
      onClose={onClose}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        data-autofocus
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </Step>
  )
}

interface EnterFirstCodeProps extends SetUpFactorProps {
  readonly setup: OtpSetup
}

function EnterFirstCode({ setup, onClose, onDone }: EnterFirstCodeProps) {
  const [otp, setOtp] = useState('')
  const enable = useMutation({
    mutationFn: () => run(auth.enableOtp({ body: { otp: otp.trim() } })),
    onSuccess: async ({ recovery_codes }) => {
      onDone(recovery_codes)
      await readAgain('otp')
    },
    gcTime: 0, // the reply contains the recovery codes
  })
  return (
    <Step
      submitLabel="Turn on"
      isSending={enable.isPending}
      error={enable.error}
      onSubmit={enable.mutate}
      onClose={onClose}
    >
      <Text size="sm">Scan this with your authenticator app, or enter the secret there by hand.</Text>
      <QrCode text={setup.url} label="QR code for the authenticator app" />
      <Copyable value={setup.secret} label="Secret" />
      <CodeField value={otp} onChange={setOtp} hasRecovery={false} />
    </Step>
  )
}

interface StepProps {
  readonly submitLabel: string
  readonly isSending: boolean
  readonly error: unknown
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

function Step({ submitLabel, isSending, error, onSubmit, onClose, children }: StepProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && <Failure error={error} />}
        {children}
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            {submitLabel}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  )
}
