import { Button, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import Type from 'typebox'
import { UnixName } from '../../../core/schemas.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { auth } from '../../auth/web/api.ts'
import { useMe } from '../../auth/web/queries.ts'
import { NewPassword, type User } from '../model.ts'
import { users } from './api.ts'
import { DeleteUser } from './DeleteUser.tsx'
import { editUser } from './queries.ts'

interface UserProps {
  readonly user: User
}
interface DialogProps extends UserProps {
  readonly onClose: () => void
}

/** The actions on a user: reset the password or the second factor, add a Linux account, suspend, delete. */
export function UserActions({ user }: UserProps) {
  const me = useMe()
  const [asking, setAsking] = useState<'password' | 'factor' | 'account' | 'suspension' | 'deletion'>()
  const close = () => setAsking(undefined)
  return (
    <>
      {me.data?.id === user.id ? (
        <LinkButton to="/account" variant="default">
          Change your password
        </LinkButton>
      ) : (
        <Button variant="default" onClick={() => setAsking('password')}>
          Reset password
        </Button>
      )}
      {me.data?.is_admin && me.data.id !== user.id && (
        <CutOffButton onClick={() => setAsking('factor')}>Remove second factor</CutOffButton>
      )}
      {me.data?.is_admin && user.username !== null && (
        <LinkButton to="/terminal" search={{ uid: user.id }} variant="default">
          Terminal
        </LinkButton>
      )}
      {user.username === null && (
        <Button variant="default" onClick={() => setAsking('account')}>
          Add Linux account
        </Button>
      )}
      {user.is_suspended ? (
        <Button variant="default" onClick={() => setAsking('suspension')}>
          Unsuspend
        </Button>
      ) : (
        <CutOffButton onClick={() => setAsking('suspension')}>Suspend</CutOffButton>
      )}
      {me.data && me.data.id !== user.id && (
        <CutOffButton onClick={() => setAsking('deletion')}>Delete</CutOffButton>
      )}
      {asking === 'password' && <ResetPassword user={user} onClose={close} />}
      {asking === 'factor' && <RemoveFactor user={user} onClose={close} />}
      {asking === 'account' && <AddAccount user={user} onClose={close} />}
      {asking === 'suspension' && <SuspensionDialog user={user} onClose={close} />}
      {asking === 'deletion' && <DeleteUser user={user} onClose={close} />}
    </>
  )
}

const PasswordDraft = Type.Object({ password: NewPassword })
const passwordText = { password: { label: 'New password', hint: 'At least 10 characters' } }

function ResetPassword({ user, onClose }: DialogProps) {
  const reset = async (body: { readonly password: string }) => {
    await editUser(user.id, body)
    onClose()
    notify(`The password of ${user.email} was reset.`)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Reset the password of ${user.email}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text size="sm" mb="md">
        All sessions of the user end. API keys, passkeys and SSH keys stay valid: the plan lists them.
      </Text>
      <SchemaForm
        schema={PasswordDraft}
        text={passwordText}
        submitLabel="Reset password"
        reviewOf={(body) => users.editUser({ params: { uid: user.id }, body })}
        onSubmit={reset}
        onCancel={onClose}
      />
    </Modal>
  )
}

function RemoveFactor({ user, onClose }: DialogProps) {
  return (
    <ChangeDialog
      title={`Remove the second factor of ${user.email}`}
      confirmLabel="Remove the second factor"
      isCutOff
      call={auth.resetOtp({ body: { email: user.email } })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`${user.email} signs in with the password alone now.`)
        return readAgain('users')
      }}
    >
      <Text size="sm">
        For a user who has lost the phone and the recovery codes. The passkeys are deleted too.
      </Text>
    </ChangeDialog>
  )
}

const AccountDraft = Type.Object({ username: UnixName })
const accountText = { username: { label: 'Linux account', hint: 'Owns the websites and files of the user' } }

function AddAccount({ user, onClose }: DialogProps) {
  const add = async (body: { readonly username: string }) => {
    await editUser(user.id, body)
    onClose()
    notify(`The Linux account ${body.username} was created.`)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Add a Linux account to ${user.email}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <SchemaForm
        schema={AccountDraft}
        text={accountText}
        submitLabel="Add Linux account"
        reviewOf={(body) => users.editUser({ params: { uid: user.id }, body })}
        onSubmit={add}
        onCancel={onClose}
      />
    </Modal>
  )
}

function SuspensionDialog({ user, onClose }: DialogProps) {
  const verb = user.is_suspended ? 'Unsuspend' : 'Suspend'
  return (
    <ChangeDialog
      title={`${verb} ${user.email}`}
      confirmLabel={verb}
      isCutOff={!user.is_suspended}
      call={users.editUser({ params: { uid: user.id }, body: { is_suspended: !user.is_suspended } })}
      onClose={onClose}
      onDone={async () => {
        onClose()
        notify(`${user.email} is ${user.is_suspended ? 'active again' : 'suspended'}.`)
        await readAgain('users')
      }}
    >
      <Text size="sm">
        {user.is_suspended
          ? 'The user may sign in again.'
          : 'All sessions, keys and streams of the user end at once.'}
      </Text>
    </ChangeDialog>
  )
}
