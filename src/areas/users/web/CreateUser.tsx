import { Modal } from '@mantine/core'
import { useMemo } from 'react'
import { permissions } from '../../../core/permissions.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import type { FieldValues } from '../../../web/kit/schema-fields.ts'
import { Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { hostingPermissions, UserDraft } from '../model.ts'
import { users } from './api.ts'
import { createUser } from './queries.ts'

const isNoSuperuser = (values: FieldValues) => values['is_admin'] !== true

/** Creates a user with the permissions that the caller may grant. */
export function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const me = useMe()
  const text = useMemo(() => textFor(me.data?.permissions ?? []), [me.data])
  const create = async (draft: UserDraft) => {
    await createUser(draft)
    onClose()
    notify(`${draft.email} was created.`)
  }
  return (
    <Modal opened onClose={onClose} title="New user" closeButtonProps={{ 'aria-label': 'Close' }}>
      {me.data ? (
        <SchemaForm
          schema={UserDraft}
          text={text}
          {...(!me.data.is_admin && { except: ['is_admin'] })}
          submitLabel="Create the user"
          reviewOf={(body) => users.createUser({ body })}
          onSubmit={create}
          onCancel={onClose}
        />
      ) : (
        <Loading rows={4} />
      )}
    </Modal>
  )
}

const textFor = (held: readonly string[]) => ({
  email: { label: 'E-mail', hint: 'Used to sign in' },
  password: { label: 'Password', hint: 'At least 10 characters' },
  username: {
    label: 'Linux account',
    hint: 'Required to own websites and files. Leave blank for none.',
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
