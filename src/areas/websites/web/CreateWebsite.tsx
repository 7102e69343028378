import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { WebsiteDraft } from '../model.ts'
import { createWebsite } from './queries.ts'

/** Creates a website in one step from its domain and its owner. */
export function CreateWebsite({ onClose }: { readonly onClose: () => void }) {
  const me = useMe()
  const navigate = useNavigate()
  const text = useMemo(
    () => ({
      domain: { label: 'Domain', hint: 'Such as www.example.com' },
      username: {
        label: 'Owner',
        hint: 'Linux account of the owner',
        first: me.data?.username ?? '',
      },
      aliases: { label: 'Aliases', hint: 'Other domains that show this site' },
    }),
    [me.data],
  )
  const only = me.data?.is_admin ? undefined : ['domain', 'type', 'aliases']
  const create = async (draft: WebsiteDraft) => {
    const website = await createWebsite(draft)
    notify(`${website.domain} is served.`)
    await navigate({ to: `/websites/${website.id}` as never })
  }
  return (
    <Modal opened onClose={onClose} title="New website" closeButtonProps={{ 'aria-label': 'Close' }}>
      {me.data ? (
        <SchemaForm
          schema={WebsiteDraft}
          text={text}
          {...(only && { only })}
          submitLabel="Create the website"
          onSubmit={create}
          onCancel={onClose}
        />
      ) : (
        <Loading rows={2} />
      )}
    </Modal>
  )
}
