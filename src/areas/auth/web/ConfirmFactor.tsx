import { Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { run } from '../../../web/client.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { auth } from './api.ts'
import { CodeField } from './CodeField.tsx'

/** Asks for a code of the second factor; what needs it continues by itself. */
export function ConfirmFactor({ onClose }: { readonly onClose: (isConfirmed: boolean) => void }) {
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
        <FormButtons submitLabel="Confirm" isSending={confirm.isPending} onCancel={() => onClose(false)} />
      </Stack>
    </Modal>
  )
}
