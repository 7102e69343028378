import { Modal, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { AnswerOf } from '../../../web/sent.ts'
import type { Page } from '../../../web/wire.ts'
import type { me as readMe } from '../../auth/endpoints/index.ts'
import { useMe } from '../../auth/web/queries.ts'
import { useUsers } from '../../users/web/queries.ts'
import type { User } from '../../users/model.ts'
import { WebsiteDraft } from '../model.ts'
import { websites } from './api.ts'
import { ensureOwner, ownerCall } from './ensure-owner.ts'
import { noZone, type OwnedDraft, ownerForm, typeText } from './owner-form.ts'
import { createWebsite, useSiteDnsTemplates } from './queries.ts'

type Me = AnswerOf<typeof readMe>
interface CloseProps {
  readonly onClose: () => void
}

/** Creates a website in one step from its domain and its owner. */
export function CreateWebsite({ onClose }: CloseProps) {
  const me = useMe()
  return (
    <Modal opened onClose={onClose} title="New website" closeButtonProps={{ 'aria-label': 'Close' }}>
      {me.error && !me.data && <Failure error={me.error} onRetry={() => void me.refetch()} />}
      {me.isPending && <Loading rows={2} />}
      {me.data && <FormFor me={me.data} onClose={onClose} />}
    </Modal>
  )
}

function FormFor({ me, onClose }: CloseProps & { readonly me: Me }): ReactNode {
  if (me.is_admin) return <ForOwner me={me} onClose={onClose} />
  if (me.username !== null) return <ForOneself onClose={onClose} />
  return <Text size="sm">Your account has no Linux account. Ask an administrator to add one.</Text>
}

const ownText = {
  domain: { label: 'Domain', hint: 'Such as www.example.com' },
  ...typeText,
  aliases: { label: 'Aliases', hint: 'Other domains that show this site' },
}
const ownFields = ['domain', 'type', 'php_version', 'upstream', 'aliases']

function ForOneself({ onClose }: CloseProps) {
  const create = useCreate()
  return (
    <SchemaForm
      schema={WebsiteDraft}
      text={ownText}
      only={ownFields}
      reviewOf={(body) => websites.createWebsite({ body })}
      submitLabel="Create the website"
      onSubmit={create}
      onCancel={onClose}
    />
  )
}

function ForOwner({ me, onClose }: CloseProps & { readonly me: Me }) {
  const users = useUsers({ per_page: 500, sort: 'email' })
  const zones = useSiteDnsTemplates()
  if (users.error && !users.data) return <Failure error={users.error} onRetry={() => void users.refetch()} />
  if (!users.data || zones.isPending) return <Loading rows={2} />
  // without an answer of the DNS server, websites are created all the same
  const templates = zones.data?.templates ?? []
  return <OwnerForm me={me} users={users.data} templates={templates} onClose={onClose} />
}

interface OwnerFormProps extends CloseProps {
  readonly me: Me
  readonly users: Page<User>
  /** Of DNS zones. */
  readonly templates: readonly string[]
}

function OwnerForm({ me, users, templates, onClose }: OwnerFormProps) {
  const create = useCreate()
  // the choices stay while the dialog is open, also once the owner that was chosen has been created
  const [{ schema, text }] = useState(() => {
    const form = ownerForm(me, users, templates)
    return { ...form, text: { ...ownText, ...form.text } }
  })
  const made = useRef<{ readonly choice: string | undefined; readonly account: string | undefined }>(
    undefined,
  )
  const submit = async (draft: OwnedDraft) => {
    if (made.current?.choice !== draft.username || made.current === undefined)
      made.current = { choice: draft.username, account: await ensureOwner(me, draft) }
    await create(websiteOf(draft, made.current.account))
  }
  return (
    <SchemaForm
      schema={schema}
      text={text}
      reviewOf={(draft: OwnedDraft) =>
        ownerCall(me, draft) ?? websites.createWebsite({ body: websiteOf(draft, draft.username) })
      }
      afterwards={(draft: OwnedDraft) =>
        ownerCall(me, draft) && `Then the website ${draft.domain} is created for this account.`
      }
      submitLabel="Create the website"
      onSubmit={submit}
      onCancel={onClose}
    />
  )
}

const websiteOf = (
  { domain, type, php_version, upstream, aliases, dns_template }: OwnedDraft,
  account: string | undefined,
): WebsiteDraft => ({
  domain,
  type,
  ...(account && { username: account }),
  ...(php_version && { php_version }),
  ...(upstream && { upstream }),
  ...(aliases && { aliases }),
  ...(dns_template && dns_template !== noZone && { dns_template }),
})

function useCreate() {
  const navigate = useNavigate()
  return async (draft: WebsiteDraft) => {
    const website = await createWebsite(draft)
    notify(`${website.domain} is served.`)
    await navigate({ to: `/websites/${website.id}` as never })
  }
}
