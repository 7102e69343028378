import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../web/kit/states.tsx'
import { useSignIn } from './queries.ts'

/** Asks for an address that signs the browser in once, and links to it. */
export function SignIn() {
  const [user, setUser] = useState('root')
  const signIn = useSignIn()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate(user.trim())
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Database account"
          description="The panel must have its password. Reset the password if it has none."
          required
          maxLength={128}
          value={user}
          onChange={(event) => {
            signIn.reset()
            setUser(event.currentTarget.value)
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Group>
        {signIn.error && <Failure error={signIn.error} />}
        {signIn.data && (
          <Alert role="status" color="green" title="Ready for 60 seconds">
            <Anchor
              href={signIn.data.url}
              target="_blank"
              rel="noreferrer"
              size="sm"
              onClick={() => signIn.reset()}
            >
              Open phpMyAdmin <IconExternalLink size={14} aria-hidden className="in-text" />
            </Anchor>
          </Alert>
        )}
      </Stack>
    </form>
  )
}
