import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { auth } from '../../areas/auth/web/api.ts'
import { useMe } from '../../areas/auth/web/queries.ts'
import { CodeField } from '../../areas/auth/web/CodeField.tsx'
import { run } from '../client.ts'
import { DialogFooter } from '../kit/DialogFooter.tsx'
import { Failure } from '../kit/states.tsx'
import { enter } from '../session.ts'
import { ApiError } from '../wire.ts'

/** Asks the user of an ended session to sign in again, over the page, which stays as it is. */
export function SessionEndedDialog() {
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={600}
      title="Your session has ended"
    >
      <SignInAgain />
    </Modal>
  )
}

function SignInAgain() {
  const me = useMe()
  const [email, setEmail] = useState(me.data?.email ?? '')
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const [isCodeAsked, setCodeAsked] = useState(false)
  const code = otp.trim()
  const signIn = useMutation({
    mutationFn: () =>
      run(auth.signIn({ body: { email, password, ...(code && { otp: code }), cookie: true } })),
    onError: (error) => {
      if (isCodeMissing(error)) setCodeAsked(true)
    },
    onSuccess: enter,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">Sign in again to go on. What you have entered on this page is kept.</Text>
        {signIn.error !== null && !isCodeMissing(signIn.error) && <Failure error={signIn.error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        {isCodeAsked && <CodeField value={otp} onChange={setOtp} />}
        <DialogFooter>
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  )
}

const isCodeMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'otp_required'
