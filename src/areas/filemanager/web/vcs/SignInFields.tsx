import { Checkbox, PasswordInput, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { keyProblem } from './private-key.ts'

/** The credentials for a remote, as typed. */
export interface SignIn {
  readonly kind: 'kept' | 'password' | 'key'
  readonly login: string
  readonly password: string
  readonly key: string
  readonly remember: boolean
  readonly fingerprint: string
}

export const noSignIn: SignIn = {
  kind: 'kept',
  login: 'git',
  password: '',
  key: '',
  remember: false,
  fingerprint: '',
}

/** Returns the credentials in a body; empty if stored credentials or none are used. */
export function credentialsOf({ kind, login, password, key }: SignIn): object {
  if (kind === 'password') return { credentials: { login, password } }
  return kind === 'key' ? { credentials: { login, private_key: key.endsWith('\n') ? key : `${key}\n` } } : {}
}

/** Returns true if the typed credentials are complete. */
export function isReady({ kind, login, password, key }: SignIn): boolean {
  if (kind === 'password') return login.trim() !== '' && password !== ''
  return kind === 'kept' || (key.trim() !== '' && keyProblem(key) === undefined)
}

/** Returns the credentials in the body of a call that contacts the remote at once. */
export function reachingOf(signIn: SignIn): object {
  const { kind, remember, fingerprint } = signIn
  return {
    ...credentialsOf(signIn),
    remember: kind !== 'kept' && remember,
    ...(fingerprint.trim() !== '' && { accept_fingerprint: fingerprint.trim() }),
  }
}

interface SignInFieldsProps {
  readonly value: SignIn
  readonly onChange: (value: SignIn) => void
  readonly keptLabel: string
  /** The remote is contacted at once, so storing and the host key are asked for. */
  readonly isReaching: boolean
}

/** Fields for a password or token, or an ssh key. */
export function SignInFields({ value, onChange, keptLabel, isReaching }: SignInFieldsProps) {
  const set = (change: Partial<SignIn>) => onChange({ ...value, ...change })
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Authentication"
        fullWidth
        data={[
          { value: 'kept', label: keptLabel },
          { value: 'password', label: 'Password or token' },
          { value: 'key', label: 'SSH key' },
        ]}
        value={value.kind}
        onChange={(kind) => set({ kind: kind === 'password' || kind === 'key' ? kind : 'kept' })}
      />
      {value.kind === 'password' && (
        <>
          <TextInput
            label="User name"
            value={value.login}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => set({ login: event.currentTarget.value })}
          />
          <PasswordInput
            label="Password or token"
            value={value.password}
            maxLength={4000}
            autoComplete="new-password"
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
        </>
      )}
      {value.kind === 'key' && (
        <Textarea
          label="Private key"
          description="Without a passphrase, as ssh-keygen writes it. It is stored encrypted, or used once."
          value={value.key}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={20_000}
          autoComplete="off"
          spellCheck={false}
          error={keyProblem(value.key)}
          onChange={(event) => set({ key: event.currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        />
      )}
      {isReaching && value.kind !== 'kept' && (
        <Checkbox
          label="Store it, encrypted, for this remote"
          checked={value.remember}
          onChange={(event) => set({ remember: event.currentTarget.checked })}
        />
      )}
      {isReaching && value.kind === 'key' && (
        <TextInput
          label="Fingerprint of the server’s key"
          description="If given, any other key is rejected. Otherwise the first key that the server presents is stored."
          placeholder="SHA256:…"
          value={value.fingerprint}
          maxLength={60}
          onChange={(event) => set({ fingerprint: event.currentTarget.value })}
        />
      )}
    </Stack>
  )
}
