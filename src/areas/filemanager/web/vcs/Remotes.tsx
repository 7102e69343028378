import { ActionIcon, Alert, Button, Code, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { FormButtons } from '../../../../web/kit/FormButtons.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { Empty, Failure } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { carryOut, type Repository, vcsCalls } from '../calls.ts'
import type { Remote } from './queries.ts'
import { credentialsOf, isReady, noSignIn, SignInFields } from './SignInFields.tsx'
import classes from './vcs.module.css'

type Asked =
  | { readonly kind: 'add' }
  | { readonly kind: 'set_url' | 'set_credentials'; readonly remote: Remote }
  | { readonly kind: 'remove' | 'forget_credentials' | 'forget_fingerprint'; readonly remote: Remote }

/** The remotes of the repository and their credentials. */
export function Remotes({
  repository,
  remotes,
}: {
  readonly repository: Repository
  readonly remotes: readonly Remote[]
}) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      {remotes.length === 0 && <Empty title="No remotes">Add one to pull from and push to.</Empty>}
      <ul className={classes.list} aria-label="Remotes">
        {remotes.map((remote) => (
          <li key={remote.name} className={classes.row}>
            <RemoteFacts remote={remote} />
            <RemoteMenu remote={remote} onAsk={setAsked} />
          </li>
        ))}
      </ul>
      <Group p="md" justify="flex-end">
        <Button variant="default" onClick={() => setAsked({ kind: 'add' })}>
          Add a remote
        </Button>
      </Group>
      {(asked?.kind === 'add' || asked?.kind === 'set_url' || asked?.kind === 'set_credentials') && (
        <RemoteForm repository={repository} asked={asked} onClose={close} />
      )}
      {asked !== undefined &&
        asked.kind !== 'add' &&
        asked.kind !== 'set_url' &&
        asked.kind !== 'set_credentials' && (
          <ChangeDialog
            title={sureText[asked.kind].title(asked.remote.name)}
            confirmLabel={sureText[asked.kind].confirm}
            call={vcsCalls.remote(repository, { action: asked.kind, name: asked.remote.name })}
            onClose={close}
            onDone={async () => {
              close()
              await readAgain('vcs')
            }}
          />
        )}
    </>
  )
}

const sureText = {
  remove: { title: (name: string) => `Remove the remote ${name}`, confirm: 'Remove it' },
  forget_credentials: { title: (name: string) => `Forget the credentials of ${name}`, confirm: 'Forget it' },
  forget_fingerprint: { title: (name: string) => `Forget the server’s key of ${name}`, confirm: 'Forget it' },
} as const

function RemoteFacts({ remote }: { readonly remote: Remote }) {
  return (
    <div className={classes.text}>
      <Text size="sm" fw={600}>
        {remote.name}
      </Text>
      <Text size="sm" className="anywhere">
        {remote.url}
      </Text>
      {remote.credentials && (
        <Text size="xs" c="dimmed">
          Signs in as {remote.credentials.login} with a kept{' '}
          {remote.credentials.private_key ? 'key' : 'password'}
        </Text>
      )}
      {remote.server_fingerprint && (
        <Text size="xs" c="dimmed" component="div">
          Server’s key <Code fz={11}>{remote.server_fingerprint}</Code>
        </Text>
      )}
      {remote.problem && (
        <Alert color="orange" mt="xs" p="xs">
          {remote.problem}
        </Alert>
      )}
    </div>
  )
}

function RemoteMenu({ remote, onAsk }: { readonly remote: Remote; readonly onAsk: (asked: Asked) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${remote.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAsk({ kind: 'set_url', remote })}>Change the address</Menu.Item>
        <Menu.Item onClick={() => onAsk({ kind: 'set_credentials', remote })}>
          Store a password or key
        </Menu.Item>
        {remote.credentials && (
          <Menu.Item onClick={() => onAsk({ kind: 'forget_credentials', remote })}>
            Forget the credentials
          </Menu.Item>
        )}
        {remote.server_fingerprint && (
          <Menu.Item onClick={() => onAsk({ kind: 'forget_fingerprint', remote })}>
            Forget the server’s key
          </Menu.Item>
        )}
        <Menu.Item color="red" onClick={() => onAsk({ kind: 'remove', remote })}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface RemoteFormProps {
  readonly repository: Repository
  readonly asked: Extract<Asked, { readonly kind: 'add' | 'set_url' | 'set_credentials' }>
  readonly onClose: () => void
}

function RemoteForm({ repository, asked, onClose }: RemoteFormProps) {
  const known = asked.kind === 'add' ? undefined : asked.remote
  const [name, setName] = useState(known?.name ?? 'origin')
  const [url, setUrl] = useState(known?.url ?? '')
  const [signIn, setSignIn] = useState(noSignIn)
  const [failure, setFailure] = useState<unknown>()
  const isAddress = asked.kind !== 'set_credentials'
  const body = { action: asked.kind, name, ...(isAddress && { url: url.trim() }), ...credentialsOf(signIn) }
  const call = vcsCalls.remote(repository, body)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    carryOut(call).then(() => {
      notify(asked.kind === 'add' ? `The remote ${name} was added.` : `The remote ${name} was changed.`)
      onClose()
    }, setFailure)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={known ? `Remote ${known.name}` : 'Add a remote'}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={save}>
        <Stack gap="md">
          {!known && (
            <TextInput
              label="Name"
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={100}
              required
            />
          )}
          {isAddress && (
            <TextInput
              label="Address"
              description="https://, ssh:// or user@host:path"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
              maxLength={2000}
              required
              data-autofocus={known ? true : undefined}
            />
          )}
          {asked.kind !== 'set_url' && (
            <SignInFields value={signIn} onChange={setSignIn} keptLabel="None" isReaching={false} />
          )}
          {failure !== undefined && <Failure error={failure} />}
          <FormButtons
            submitLabel="Save"
            isDisabled={!isReady(signIn)}
            reviewed={{ call }}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}
