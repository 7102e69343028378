import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { run } from '../../../web/client.ts'
import { MailDraft, type MailSettings } from '../model.ts'
import { mail } from './api.ts'

const textOf = ({ username }: MailSettings) => ({
  smart_route: {
    label: 'Relay',
    hint: 'Such as mail.example.com::587, or ::465 for TLS from the first byte; empty sends mail directly. From dc_smarthost in /etc/exim4/update-exim4.conf.conf',
  },
  default_from: {
    label: 'Sender of mail of root',
    hint: 'Reports of cron and of the panel come from it. From /etc/email-addresses',
  },
  username: {
    label: 'User at the relay',
    hint: 'Empty if the relay needs no sign-in. From /etc/exim4/passwd.client',
  },
  password: {
    label: 'Password at the relay',
    hint:
      username === ''
        ? 'It is sent over TLS only'
        : 'Empty keeps the stored one, if the relay and the user stay the same. It is sent over TLS only',
  },
})

/** The relay, the sign-in to it and the sender, as the files of Exim have them. */
export function RelayForm({ settings }: { readonly settings: MailSettings }) {
  const { smart_route, default_from, username } = settings
  const callOf = (changes: MailDraft) => mail.changeMail({ body: withUser(changes, username) })
  const save = async (changes: MailDraft) => {
    await run(callOf(changes))
    notify('The mail relay was saved.')
    await readAgain('mail')
  }
  return (
    <SchemaForm
      schema={MailDraft}
      text={textOf(settings)}
      given={{ smart_route, default_from, username }}
      sendsOnlyChanges
      autoComplete={{ username: 'off', password: 'new-password' }}
      submitLabel="Save the relay"
      reviewOf={callOf}
      onSubmit={save}
    />
  )
}

/** The user that the form shows is meant for a new relay too, so that its password is asked for. */
const withUser = (changes: MailDraft, username: string): MailDraft =>
  changes.smart_route && username !== '' ? { username, ...changes } : changes
