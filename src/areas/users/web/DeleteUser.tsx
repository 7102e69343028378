import { SegmentedControl, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { User } from '../model.ts'
import { users } from './api.ts'

interface DeleteUserProps {
  readonly user: User
  readonly onClose: () => void
}

type Files = 'keep' | 'archive' | 'remove'
const choices = [
  { value: 'keep', label: 'Keep' },
  { value: 'archive', label: 'Archive' },
  { value: 'remove', label: 'Remove' },
] as const satisfies readonly { readonly value: Files; readonly label: string }[]

/** Deletes a user; the plan lists everything that belongs to them and what happens to it. */
export function DeleteUser({ user, onClose }: DeleteUserProps) {
  const [files, setFiles] = useState<Files>('keep')
  const [databases, setDatabases] = useState<'keep' | 'remove'>('keep')
  const navigate = useNavigate()
  const done = async ({ archive }: { readonly archive: string | null }) => {
    notify(`${user.email} was deleted.${archive === null ? '' : ` The files are in ${archive}.`}`)
    await navigate({ to: '/users' as never })
    await readAgain('users')
  }
  return (
    <ChangeDialog
      title={`Delete ${user.email}`}
      confirmLabel="Delete the user"
      call={users.deleteUser({ params: { uid: user.id }, query: { files, databases } })}
      onClose={onClose}
      onDone={done}
    >
      {user.username !== null && (
        <>
          <Text size="sm">The files in the home of {user.username}:</Text>
          <SegmentedControl
            aria-label="Files of the user"
            value={files}
            onChange={(chosen) => setFiles(choices.find(({ value }) => value === chosen)?.value ?? 'keep')}
            data={[...choices]}
          />
          <Text size="sm">The databases of {user.username}:</Text>
          <SegmentedControl
            aria-label="Databases of the user"
            value={databases}
            onChange={(chosen) => setDatabases(chosen === 'remove' ? 'remove' : 'keep')}
            data={choices.filter(({ value }) => value !== 'archive')}
          />
        </>
      )}
    </ChangeDialog>
  )
}
