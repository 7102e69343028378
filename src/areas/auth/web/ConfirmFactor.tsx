import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { run } from '../../../web/client.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { canUsePasskeys, askForPasskey } from '../../../web/passkeys.ts'
import { auth } from './api.ts'
import { CodeField } from './CodeField.tsx'
import { usePasskeys } from './queries.ts'

interface ConfirmFactorProps {
  readonly onClose: (isConfirmed: boolean) => void
}

/** Asks for a code of the second factor, or for a passkey in its place; what needs it continues by itself. */
export function ConfirmFactor({ onClose }: ConfirmFactorProps) {
  const [otp, setOtp] = useState('')
  const confirm = useMutation({
    mutationFn: () => run(auth.confirmOtp({ body: { otp: otp.trim() } })),
    onSuccess: () => onClose(true),
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    confirm.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title="Confirm that it is you"
      zIndex={500}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md" component="form" onSubmit={submit}>
        <Text size="sm">This needs a fresh code of your second factor. It then continues.</Text>
        {confirm.error && <Failure error={confirm.error} />}
        <CodeField value={otp} onChange={setOtp} />
        <PasskeyInstead onConfirmed={() => onClose(true)} />
        <FormButtons submitLabel="Confirm" isSending={confirm.isPending} onCancel={() => onClose(false)} />
      </Stack>
    </Modal>
  )
}

/** Offered to users who have a passkey of this address. */
function PasskeyInstead({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const passkeys = usePasskeys()
  const confirm = useMutation({
    mutationFn: async () => {
      const response = await askForPasskey(await run(auth.requestPasskeySignIn()))
      if (response === undefined) return
      await run(auth.confirmPasskey({ body: { response } }))
      onConfirmed()
    },
    gcTime: 0,
  })
  const isOffered = canUsePasskeys() && passkeys.data?.some(({ origin }) => origin === location.origin)
  if (!isOffered) return null
  return (
    <>
      {confirm.error && <Failure error={confirm.error} />}
      <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Use a passkey
      </Button>
    </>
  )
}
