import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { textOf } from '../../../web/wire.ts'
import { MailboxSettingsDraft, type Tested } from '../model.ts'
import { mailboxBackup } from './api.ts'
import { carryOut, useMailboxSettings } from './queries.ts'

const kept = 'Empty keeps the stored one'
const text = {
  idp_tenant_id: { label: 'Directory (tenant) ID', hint: '' },
  idp_client_id: { label: 'Application (client) ID', hint: '' },
  idp_client_secret: { label: 'Client secret', hint: kept },
  s3_endpoint: { label: 'S3 server', hint: 'Such as https://s3.example.com' },
  s3_bucket: { label: 'Bucket', hint: '' },
  s3_access_key: { label: 'Access key', hint: '' },
  s3_secret_key: { label: 'Secret key', hint: kept },
  s3_region: { label: 'Region', hint: '' },
  s3_encrypt: { label: 'Encrypt on S3', hint: 'With the encryption key of the backups' },
  attachment_storage: { label: 'Storage of attachments', hint: 'On this host or on S3' },
  backup_schedule: { label: 'Schedule', hint: 'Cron expression in UTC, such as 0 2 * * *; empty: none' },
  retention_days: { label: 'Keep deleted messages', hint: 'In days; 0 is 365' },
  data_dir: { label: 'Folder', hint: 'Of the backups on this host' },
}
const hidden = { idp_client_secret: 'new-password', s3_secret_key: 'new-password', s3_access_key: 'off' }
const elsewhere = ['excluded_users']

/** How mailboxes are reached, where their backups are, and tests of both. */
export function MailboxSettingsCard() {
  const { data, error, refetch } = useMailboxSettings()
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const { idp_client_secret: _secret, s3_secret_key: _key, ...given } = data
  const { retention_days } = data
  // days that are left out would become the default
  const callOf = (changes: Partial<MailboxSettingsDraft>) =>
    mailboxBackup.changeMailboxSettings({ body: { retention_days, ...changes } })
  const save = async (body: Partial<MailboxSettingsDraft>) => {
    await carryOut(callOf(body))
    notify('The settings were saved.')
  }
  return (
    <SectionCard title="Settings">
      <SchemaForm
        key={JSON.stringify(data)}
        schema={MailboxSettingsDraft}
        text={text}
        except={elsewhere}
        given={given}
        sendsOnlyChanges
        autoComplete={hidden}
        submitLabel="Save the settings"
        reviewOf={callOf}
        onSubmit={save}
      />
      <Group mt="md">
        <TestButton label="Test the sign-in" call={mailboxBackup.testIdentityProvider({ body: {} })} />
        <TestButton label="Test the S3 server" call={mailboxBackup.testMailboxStore({ body: {} })} />
      </Group>
    </SectionCard>
  )
}

interface TestButtonProps {
  readonly label: string
  readonly call: Call<Tested>
}

function TestButton({ label, call }: TestButtonProps) {
  const test = useMutation({
    mutationFn: () => run(call),
    onSuccess: ({ message }) => notify(message),
    onError: (error) => notify(textOf(error), true),
  })
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      {label}
    </Button>
  )
}
