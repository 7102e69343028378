import { Alert, Button, Card, Group, Modal, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import Type from 'typebox'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SftpPassword } from '../../users/model.ts'
import { users } from '../../users/web/api.ts'
import { editUser } from '../../users/web/queries.ts'
import type { SshAccess as Access } from '../model.ts'
import { useSshAccess } from './queries.ts'

interface SshAccessProps {
  readonly uid: number
  readonly username: string
}

/** How an administrator lets a user in over SSH, and the last sign-ins. */
export function SshAccess({ uid, username }: SshAccessProps) {
  const access = useSshAccess(uid)
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="md">
        SSH and SFTP
      </Title>
      {access.error && !access.data && <Failure error={access.error} onRetry={() => void access.refetch()} />}
      {!access.data && !access.error && <Loading rows={3} />}
      {access.data && <Settings uid={uid} username={username} access={access.data} />}
    </Card>
  )
}

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly done: string
}

function Settings({ uid, username, access }: SshAccessProps & { readonly access: Access }) {
  const [asked, setAsked] = useState<Asked>()
  const { sftp, shell, takes_password, obstacle, refusals } = access
  const edit = (body: object) => users.editUser({ params: { uid }, body })
  const turn = (what: string, isOn: boolean, body: object) =>
    setAsked({
      title: `${isOn ? 'Enable' : 'Disable'} ${what} of ${username}`,
      label: isOn ? 'Enable' : 'Disable',
      call: edit(body),
      done: `${what} of ${username} is ${isOn ? 'on' : 'off'}.`,
    })
  return (
    <Stack gap="md">
      {obstacle && (
        <Alert color="yellow" title="SSH access cannot be changed">
          {obstacle}
        </Alert>
      )}
      {refusals.length > 0 && <Refused username={username} refusals={refusals} />}
      <Switch
        label="SFTP"
        description="File transfers. Without a shell, only in the home."
        checked={sftp}
        disabled={obstacle !== null}
        onChange={() => turn('SFTP', !sftp, sftp ? { sftp: false, shell: false } : { sftp: true })}
      />
      <Switch
        label="Shell"
        description="Commands and file transfers anywhere the account may read."
        checked={shell}
        disabled={obstacle !== null}
        onChange={() => turn('Shell', !shell, shell ? { shell: false } : { sftp: true, shell: true })}
      />
      <Password
        uid={uid}
        isSet={takes_password}
        onLock={() =>
          setAsked({
            title: `Lock the password of ${username}`,
            label: 'Lock the password',
            call: edit({ sftp_password: null }),
            done: `The password of ${username} is locked.`,
          })
        }
      />
      <SignIns signIns={access.sign_ins} />
      {asked && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.label}
          call={asked.call}
          isCutOff
          onClose={() => setAsked(undefined)}
          onDone={async () => {
            setAsked(undefined)
            notify(asked.done)
            await readAgain('ssh-access')
          }}
        />
      )}
    </Stack>
  )
}

/** Why sshd does not admit the account, whatever is set here. */
function Refused({
  username,
  refusals,
}: {
  readonly username: string
  readonly refusals: readonly string[]
}) {
  return (
    <Alert color="yellow" title={`The SSH server refuses ${username}`}>
      {refusals.map((each) => (
        <Text key={each} size="sm">
          {each}.
        </Text>
      ))}
    </Alert>
  )
}

const PasswordDraft = Type.Object({ sftp_password: SftpPassword })
const text = { sftp_password: { label: 'Password', hint: 'At least 10 characters. Open sessions end.' } }

function Password({
  uid,
  isSet,
  onLock,
}: {
  readonly uid: number
  readonly isSet: boolean
  readonly onLock: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const save = async (body: { sftp_password: string }) => {
    await editUser(uid, body)
    setOpen(false)
    notify('The password for SSH and SFTP was set.')
    await readAgain('ssh-access')
  }
  return (
    <Group justify="space-between">
      <Text size="sm">{isSet ? 'Signs in with a key or a password' : 'No password was set here'}</Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {isSet ? 'Change password' : 'Set password'}
        </Button>
        {isSet && (
          <CutOffButton size="xs" onClick={onLock}>
            Lock password
          </CutOffButton>
        )}
      </Group>
      {isOpen && (
        <Modal
          opened
          onClose={() => setOpen(false)}
          title="Password for SSH and SFTP"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <SchemaForm
            schema={PasswordDraft}
            text={text}
            autoComplete={{ sftp_password: 'new-password' }}
            submitLabel="Set the password"
            reviewOf={(body) => users.editUser({ params: { uid }, body })}
            onCancel={() => setOpen(false)}
            onSubmit={save}
          />
        </Modal>
      )}
    </Group>
  )
}

const shownSignIns = 5

function SignIns({ signIns }: { readonly signIns: Access['sign_ins'] }) {
  if (signIns.length === 0) return <Text size="sm">No sign-in over SSH in the last 90 days.</Text>
  return (
    <Stack gap={4}>
      <Text size="sm">Last sign-ins</Text>
      {signIns.slice(0, shownSignIns).map(({ at, address, method }) => (
        <Group key={`${at} ${address}`} gap="xs">
          <Text size="sm" component="div">
            <Moment time={at} />
          </Text>
          <Text size="sm" ff="monospace">
            {address}
          </Text>
          <Text size="sm">{method === 'publickey' ? 'key' : method}</Text>
        </Group>
      ))}
    </Stack>
  )
}
