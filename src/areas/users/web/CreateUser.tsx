import { Modal } from '@mantine/core'
import { useMemo } from 'react'
import { permissions } from '../../../core/permissions.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import type { FieldValues } from '../../../web/kit/schema-fields.ts'
import { Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { ExistingUserDraft, hostingPermissions, UserDraft } from '../model.ts'
import { users } from './api.ts'
import { createUser, registerExisting } from './queries.ts'

const isNoSuperuser = (values: FieldValues) => values['is_admin'] !== true

interface CreateUserProps {
  /** The user owns a Linux account that the host has already. */
  readonly isExisting?: boolean
  readonly onClose: () => void
}

/** Creates a user with the permissions that the caller may grant. */
export function CreateUser({ isExisting = false, onClose }: CreateUserProps) {
  const me = useMe()
  const text = useMemo(() => textFor(me.data?.permissions ?? [], isExisting), [me.data, isExisting])
  const way = isExisting ? ways.existing : ways.new
  const create = async (draft: ExistingUserDraft) => {
    await way.create(draft)
    onClose()
    notify(`${draft.email} was created.`)
  }
  return (
    <Modal opened onClose={onClose} title={way.title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {me.data ? (
        <SchemaForm
          schema={way.schema}
          text={text}
          {...(!me.data.is_admin && { except: ['is_admin'] })}
          submitLabel={way.submit}
          reviewOf={way.call}
          onSubmit={create}
          onCancel={onClose}
        />
      ) : (
        <Loading rows={4} />
      )}
    </Modal>
  )
}

const ways = {
  new: {
    title: 'New user',
    submit: 'Create the user',
    schema: UserDraft,
    call: (body: UserDraft) => users.createUser({ body }),
    create: createUser,
  },
  existing: {
    title: 'Add an existing Linux account',
    submit: 'Add the account',
    schema: ExistingUserDraft,
    call: (body: ExistingUserDraft) => users.registerExisting({ body }),
    create: registerExisting,
  },
}

const accountHints = {
  new: 'Required to own websites and files. Leave blank for none.',
  existing: 'An account of this host with a home of its own. Its files stay as they are.',
}

const textFor = (held: readonly string[], isExisting: boolean) => ({
  email: { label: 'E-mail', hint: 'Used to sign in' },
  password: { label: 'Password', hint: 'At least 10 characters' },
  username: {
    label: 'Linux account',
    hint: accountHints[isExisting ? 'existing' : 'new'],
  },
  is_admin: { label: 'Full administrator access', hint: '' },
  permissions: {
    label: 'Permissions',
    hint: '',
    labels: Object.fromEntries(Object.entries(permissions).filter(([slug]) => held.includes(slug))),
    first: hostingPermissions.filter((slug) => held.includes(slug)),
    when: isNoSuperuser,
  },
})
